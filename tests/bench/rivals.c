/* rivals.c - what others need for the same. */
#include "tests/bench/rivals.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/lanes.h"
#include "tests/bench/measure.h"

/* ---- which processor ---- */

/* Whether OpenBLAS by itself takes one of those kernels that use AVX2 at least. */
static bool blas_knows(const char *self)
{
	static const char *const modern[] = { "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids" };
	char command[1000], config[300] = "";
	bool known = false;

	snprintf(command, sizeof command, "'%s' --blas 2>/dev/null", self);
	FILE *f = popen(command, "r");
	if (f && !fgets(config, sizeof config, f))
		*config = '\0';
	if (f)
		pclose(f);
	for (size_t i = 0; i < sizeof modern / sizeof *modern; i++)
		known = known || strstr(config, modern[i]);
	return known;
}

void rivals_prepare(const char *self, const struct lanes *kernel)
{
	bool widest = kernel == lanes_choose(), avx512 = !strcmp(kernel->name, "avx512");

	if (!strcmp(kernel->name, "base"))
		return;
	if (!widest)
		setenv("NPY_DISABLE_CPU_FEATURES", "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL", 0);
	if (!widest || !blas_knows(self))
		setenv("OPENBLAS_CORETYPE", avx512 ? "SkylakeX" : "Haswell", 0);
}

/* ---- OpenBLAS ---- */

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };	/* of the CBLAS interface */

typedef void sgemm_function(int, int, int, int, int, int, float, const float *, int, const float *, int,
			    float, float *, int);
typedef void threads_function(int);
typedef char *name_function(void);

static struct {
	sgemm_function *sgemm;
	threads_function *threads;
	name_function *config;
} blas;

/* ISO C knows no way from an object pointer to a function pointer but this. */
static void find(void *library, const char *name, void *function)
{
	void *symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof symbol);
}

bool blas_open(void)
{
	void *library = dlopen("libopenblas.so.0", RTLD_NOW);

	if (!library)
		return false;
	find(library, "cblas_sgemm", &blas.sgemm);
	find(library, "openblas_set_num_threads", &blas.threads);
	find(library, "openblas_get_config", &blas.config);
	return blas.sgemm && blas.threads && blas.config;
}

const char *blas_name(void)
{
	return blas.config();
}

void blas_threads(int n)
{
	blas.threads(n);
}

void blas_multiply(size_t m, size_t n, size_t k, const float *a, const float *b, bool transposed, float *c)
{
	blas.sgemm(ROW_MAJOR, PLAIN, transposed ? TRANSPOSED : PLAIN, (int)m, (int)n, (int)k, 1, a, (int)k,
		   b, transposed ? (int)k : (int)n, 0, c, (int)n);
}

void blas_settle(void)
{
	nanosleep(&(struct timespec){ 0, 60 * 1000 * 1000 }, NULL);
}

/* ---- Python ---- */

static const char numpy_script[] =
	"import sys, time, numpy as np\n"
	"n, d = int(sys.argv[1]), int(sys.argv[2])\n"
	"r = np.random.default_rng(0)\n"
	"Q, K, V = (r.standard_normal((n, d), dtype=np.float32) for _ in range(3))\n"
	"def run():\n"
	"    scores = Q @ K.T / np.float32(np.sqrt(d))\n"
	"    mask = np.triu(np.ones((n, n), dtype=bool), 1)\n"
	"    scores = np.where(mask, np.float32(-np.inf), scores)\n"
	"    e = np.exp(scores - scores.max(axis=1, keepdims=True))\n"
	"    w = e / e.sum(axis=1, keepdims=True)\n"
	"    return w @ V, w.sum(axis=1)\n";

static const char torch_script[] =
	"import sys, time, torch\n"
	"torch.set_num_threads(1)\n"
	"n, d = int(sys.argv[1]), int(sys.argv[2])\n"
	"Q, K, V = (torch.randn(n, d) for _ in range(3))\n"
	"def run():\n"
	"    mask = torch.ones(n, n, dtype=torch.bool).triu(1)\n"
	"    scores = (Q @ K.T / d ** 0.5).masked_fill(mask, float('-inf'))\n"
	"    w = torch.softmax(scores, dim=1)\n"
	"    return w @ V, w.sum(dim=1)\n";

static const char turns_script[] =
	"run()\n"
	"print('ready', flush=True)\n"
	"for line in sys.stdin:\n"
	"    t = time.perf_counter()\n"
	"    run()\n"
	"    print(time.perf_counter() - t, flush=True)\n";

const char *python_with(const char *module)
{
	static const char *const candidate[] = { "python3", "/usr/bin/python3" };
	char command[200];

	for (size_t i = 0; i < 2; i++) {
		snprintf(command, sizeof command, "%s -c 'import %s' >/dev/null 2>&1", candidate[i], module);
		if (system(command) == 0)
			return candidate[i];
	}
	return NULL;
}

static void become_python(const char *interpreter, const char *script, size_t n, size_t d, const int to[2], const int from[2])
{
	char rows[32], columns[32];

	snprintf(rows, sizeof rows, "%zu", n);
	snprintf(columns, sizeof columns, "%zu", d);
	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	setenv("OMP_NUM_THREADS", "1", 1);
	dup2(to[0], 0);
	dup2(from[1], 1);
	close(to[0]), close(to[1]), close(from[0]), close(from[1]);
	execlp(interpreter, interpreter, "-c", script, rows, columns, (char *)NULL);
	_exit(127);
}

bool python_start(struct python *p, const char *module, size_t n, size_t d)
{
	const char *interpreter = python_with(module);
	char script[2000], line[64];
	int to[2], from[2];

	if (!interpreter || pipe(to) || pipe(from))
		return false;
	signal(SIGPIPE, SIG_IGN);
	snprintf(script, sizeof script, "%s%s", strcmp(module, "numpy") ? torch_script : numpy_script, turns_script);
	fflush(NULL);
	p->pid = fork();
	if (p->pid == 0)
		become_python(interpreter, script, n, d, to, from);
	close(to[0]), close(from[1]);
	p->to = fdopen(to[1], "w");
	p->from = fdopen(from[0], "r");
	if (p->pid > 0 && fgets(line, sizeof line, p->from) && !strcmp(line, "ready\n"))
		return true;
	python_stop(p);
	return false;
}

double python_turn(struct python *p)
{
	char line[64];

	fputs("turn\n", p->to);
	fflush(p->to);
	return fgets(line, sizeof line, p->from) ? strtod(line, NULL) : -1;
}

void python_stop(struct python *p)
{
	fclose(p->to);
	fclose(p->from);
	if (p->pid > 0)
		waitpid(p->pid, NULL, 0);
}

/* ---- the machine ---- */

#if defined __x86_64__
/* Twelve chains of multiply-adds in registers: as many as two units with a latency of
 * four or five need. Assembly, for a compiler may well put them into memory. Zeros: what
 * happens to be in the registers might be numbers that the processor is slow with. */
#define CHAIN(kind, n) "vfmadd231ps %%" kind "14, %%" kind "15, %%" kind #n "\n"
#define CHAINS_OF(kind) CHAIN(kind, 0) CHAIN(kind, 1) CHAIN(kind, 2) CHAIN(kind, 3) CHAIN(kind, 4) CHAIN(kind, 5) \
	CHAIN(kind, 6) CHAIN(kind, 7) CHAIN(kind, 8) CHAIN(kind, 9) CHAIN(kind, 10) CHAIN(kind, 11)
#define CHAIN_REGISTERS "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
	"xmm11", "xmm14", "xmm15"
double fma_peak(const struct lanes *kernel)
{
	enum { ROUNDS = 1000000, CHAINS = 12 };
	bool wide = !strcmp(kernel->name, "avx512");

	if (!lanes_usable(lanes_avx2()))
		return 0;
	__asm__ volatile("vzeroall" ::: CHAIN_REGISTERS);
	double start = now();
	for (int i = 0; i < ROUNDS; i++)
		if (wide)
			__asm__ volatile(CHAINS_OF("zmm") ::: CHAIN_REGISTERS);
		else
			__asm__ volatile(CHAINS_OF("ymm") ::: CHAIN_REGISTERS);
	return (double)ROUNDS * CHAINS * (wide ? 16 : 8) * 2 / (now() - start);
}
#else
double fma_peak(const struct lanes *kernel)
{
	(void)kernel;
	return 0;
}
#endif

double read_once(const float *v, size_t n)
{
	typedef float vec __attribute__((vector_size(16)));
	vec sum[16] = { { 0 } };
	double start = now();

	for (size_t i = 0; i < n; i += 64)
		for (size_t x = 0; x < 16; x++)
			sum[x] += *(const vec *)(v + i + 4 * x);
	for (size_t x = 1; x < 16; x++)
		sum[0] += sum[x];
	volatile float used = sum[0][0] + sum[0][1] + sum[0][2] + sum[0][3];
	(void)used;
	return now() - start;
}
