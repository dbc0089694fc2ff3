/* python.c - scripts that qkv writes, run by Python with NumPy. */
#include "tests/python.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/run.h"

/* Runs N scripts of a folder and compares what they print. */
static const char driver[] =
	"import contextlib, io, sys, warnings\n"
	"import numpy as np\n"
	"folder, count, ran, bad = sys.argv[1], int(sys.argv[2]), 0, 0\n"
	"np.seterr(all='ignore')\n"
	"fused = not np.isnan(np.array([[1e200, 1e200]]) @ np.array([[1e200], [-1e200]])).all()\n"
	"for k in range(count):\n"
	"    script, wanted, name = (open(f'{folder}/{k}.{end}', encoding='utf-8').read() for end in ('py', 'txt', 'name'))\n"
	"    printed, trouble = io.StringIO(), ''\n"
	"    if fused and 'dot_overflow' in name:\n"
	"        print(name, 'is left out: this BLAS fuses multiply and add, so there is no inf - inf')\n"
	"        continue\n"
	"    ran += 1\n"
	"    np.seterr(divide='warn', over='warn', under='ignore', invalid='warn')\n"
	"    try:\n"
	"        with contextlib.redirect_stdout(printed), warnings.catch_warnings():\n"
	"            warnings.simplefilter('error')\n"
	"            exec(compile(script, name, 'exec'), {'__name__': '__main__'})\n"
	"    except Exception as e:\n"
	"        trouble = repr(e)\n"
	"    if trouble or printed.getvalue() != wanted:\n"
	"        bad += 1\n"
	"        if bad <= 3:\n"
	"            print(name, trouble, script, 'printed:', printed.getvalue(), 'wanted:', wanted, sep='\\n')\n"
	"print(ran - bad, 'of', count, 'scripts print what is wanted')\n"
	"sys.exit(bad > 0)\n";

/* A Python that has NumPy; NULL when there is none. */
static const char *find_python(void)
{
	static const char *const names[] = { "python3", "/usr/bin/python3" };
	char command[128];

	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		snprintf(command, sizeof command, "%s -c 'import numpy' >/dev/null 2>&1", names[k]);
		if (system(command) == 0)
			return names[k];
	}
	return NULL;
}

void scripts_begin(struct scripts *s)
{
	s->n = 0;
	make_folder(s->folder);
}

static void write_part(const struct scripts *s, const char *end, const char *text)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%zu.%s", s->folder, s->n, end);
	write_file(path, text, strlen(text));
}

void scripts_add(struct scripts *s, const char *name, const char *script, const char *wanted)
{
	write_part(s, "py", script);
	write_part(s, "txt", wanted);
	write_part(s, "name", name);
	s->n++;
}

void scripts_check(struct scripts *s)
{
	const char *python = find_python();
	char path[300], command[900];

	if (!python) {
		remove_folder(s->folder);
		print_message("%zu scripts were not run: there is no Python with NumPy\n", s->n);
		skip();
	}
	snprintf(path, sizeof path, "%s/driver.py", s->folder);
	write_file(path, driver, strlen(driver));
	/* One thread: the matrices are small, and others use the machine too. */
	snprintf(command, sizeof command, "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 %s '%s' '%s' %zu >'%s/said' 2>&1", python, path,
		 s->folder, s->n, s->folder);
	int status = system(command);
	snprintf(path, sizeof path, "%s/said", s->folder);
	size_t size;
	char *said = read_file(path, &size);
	print_message("%s", said ? said : "");
	free(said);
	remove_folder(s->folder);
	assert_int_equal(status, 0);
}
