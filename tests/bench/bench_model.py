"""What the built-in model costs, as ratios to the same forward pass in NumPy, and in PyTorch where it is installed.

    python3 bench_model.py BENCH_MODEL koen.safetensors

BENCH_MODEL is the program made of bench_model.c. Lines of JSON: those of the program, that of each library (n = 100, all
positions, the logits too), and "NAME/LIBRARY" with the ratio. The program and the libraries are measured in turns, each
figure is the median of its turns. GELU's erf is a polynomial here (Abramowitz and Stegun 7.1.26), since NumPy has none:
math.erf, element by element, would take longer than all the rest.
"""
import json, math, statistics, struct, subprocess, sys, time
import numpy as np

N, TURNS, TIMES = 100, 5, 11


def read(path):
    data = open(path, 'rb').read()
    n = struct.unpack('<Q', data[:8])[0]
    head = json.loads(data[8:8 + n])
    meta = head.pop('__metadata__')
    arrays = {}
    for name, a in head.items():
        b, e = a['data_offsets']
        arrays[name] = np.frombuffer(data, '<f2', (e - b) // 2, 8 + n + b).reshape(a['shape']).astype(np.float32)
    return arrays, int(meta['layers']), int(meta['heads'])


def gelu(x):
    y = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * y)
    p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * np.float32(1.061405429)))))
    return x * (1 + np.copysign(1 - p * np.exp(-y * y), x)) * np.float32(0.5)


def norm(x, w, b):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + np.float32(1e-5)) * w + b


def by_numpy(a, layers, heads, ids):
    n, x = len(ids), a['emb.weight'][ids] + a['pos.weight'][:len(ids)]
    d, hidden = x.shape[1] // heads, np.triu(np.full((n, n), -np.inf, np.float32), 1)
    for l in range(layers):
        w = lambda name: a['blocks.%d.%s' % (l, name)]
        lin = lambda y, name: y @ w(name + '.weight').T + w(name + '.bias')
        q, k, v = lin(norm(x, w('ln1.weight'), w('ln1.bias')), 'qkv').reshape(n, 3, heads, d).transpose(1, 2, 0, 3)
        s = q @ k.transpose(0, 2, 1) / np.float32(math.sqrt(d)) + hidden
        e = np.exp(s - s.max(-1, keepdims=True))
        z = (e / e.sum(-1, keepdims=True)) @ v
        x = x + lin(z.transpose(1, 0, 2).reshape(n, -1), 'proj')
        x = x + lin(gelu(lin(norm(x, w('ln2.weight'), w('ln2.bias')), 'fc')), 'out')
    return norm(x, a['lnf.weight'], a['lnf.bias']) @ a['emb.weight'].T


def by_torch(torch, t, layers, heads, ids):
    F, n, C = torch.nn.functional, len(ids), t['emb.weight'].shape[1]
    x = t['emb.weight'][ids] + t['pos.weight'][:n]
    hidden = torch.triu(torch.full((n, n), -math.inf), 1)
    for l in range(layers):
        w = lambda name: t['blocks.%d.%s' % (l, name)]
        lin = lambda y, name: F.linear(y, w(name + '.weight'), w(name + '.bias'))
        q, k, v = lin(F.layer_norm(x, (C,), w('ln1.weight'), w('ln1.bias')), 'qkv').view(n, 3, heads, -1).permute(1, 2, 0, 3)
        z = (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]) + hidden).softmax(-1) @ v
        x = x + lin(z.transpose(0, 1).reshape(n, -1), 'proj')
        x = x + lin(F.gelu(lin(F.layer_norm(x, (C,), w('ln2.weight'), w('ln2.bias')), 'fc')), 'out')
    return F.linear(F.layer_norm(x, (C,), t['lnf.weight'], t['lnf.bias']), t['emb.weight'])


def median_of(f):
    took = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        f()
        took.append(time.perf_counter() - begin)
    return statistics.median(took)


def libraries(path):
    a, layers, heads = read(path)
    ids = np.array([1] + [4 + k * 37 % 700 for k in range(1, N)])
    found = {'numpy': lambda: by_numpy(a, layers, heads, ids)}
    try:
        import torch
    except ImportError:
        return found
    t, tids = {k: torch.from_numpy(v) for k, v in a.items()}, torch.from_numpy(ids)
    def run():
        with torch.no_grad():
            return by_torch(torch, t, layers, heads, tids)
    assert np.abs(run().numpy() - by_numpy(a, layers, heads, ids)).max() < 1e-3
    found['torch'] = run
    return found


def main():
    program, path = sys.argv[1:3]
    others, seconds = libraries(path), {}
    for _ in range(TURNS):
        for line in subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout.decode().splitlines():
            one = json.loads(line)
            seconds.setdefault(one['name'], []).append(one['seconds'])
        for name, f in others.items():
            seconds.setdefault(name, []).append(median_of(f))
    took = {name: statistics.median(v) for name, v in seconds.items()}
    for name, s in took.items():
        print(json.dumps({'name': name, 'n': N, 'seconds': round(s, 9)}))
    for name in took:
        for library in others:
            if name not in others and name != 'model-load':
                print(json.dumps({'name': '%s/%s' % (name, library), 'n': N, 'ratio': round(took[name] / took[library], 4)}))


main()
