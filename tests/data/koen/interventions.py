"""What heads that are interfered with do to the rest of the model, by NumPy in float64: interventions.json.

    python3 interventions.py ../../../assets/model/koen.safetensors > interventions.json

Each case has the text, how many [PAD] stand before it, what is done to which heads, the last position's five likeliest
characters, and the mean of -ln p over the characters of the text. "pad": keys that are hidden from every query; "fill":
what hidden scores become; "causal": false hides no later key; "scale" divides by 1 instead of sqrt(d); "off": the head's
output is 0; "softmax" column: each key's weights sum to 1; "mask-at" after: hidden weights become 0 after softmax;
"empty-row" zero: the weights of a query that sees nothing are 0.
"""
import json, math, struct, sys
import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])


def read(path):
    data = open(path, 'rb').read()
    n = struct.unpack('<Q', data[:8])[0]
    head = json.loads(data[8:8 + n])
    meta = head.pop('__metadata__')
    arrays = {}
    for name, a in head.items():
        b, e = a['data_offsets']
        arrays[name] = np.frombuffer(data, '<f2', (e - b) // 2, 8 + n + b).reshape(a['shape']).astype(np.float64)
    return arrays, meta


def norm(x, w, b):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5) * w + b


def attention(q, k, v, what):
    n, d = q.shape
    s = q @ k.T / (1 if what.get('scale') == 'none' else math.sqrt(d))
    hidden = np.zeros((n, n), bool)
    if what.get('causal', True):
        hidden |= np.triu(np.ones((n, n), bool), 1)
    for j in what.get('pad', []):
        hidden[:, j] = True
    after, axis = what.get('mask-at') == 'after', 0 if what.get('softmax') == 'column' else -1
    if not after:
        s = np.where(hidden, what.get('fill', -np.inf), s)
    with np.errstate(invalid='ignore'):
        w = np.exp(s - s.max(axis, keepdims=True))
        w /= w.sum(axis, keepdims=True)
    if after:
        w = np.where(hidden, 0, w)
    if what.get('empty-row') == 'zero':
        w = np.where(hidden.all(-1, keepdims=True), 0, w)
    return 0 * (w @ v) if what.get('off') else w @ v


def forward(a, ids, heads, plan):
    x = a['emb.weight'][ids] + a['pos.weight'][:len(ids)]
    d = x.shape[1] // heads
    layers = sum(name.endswith('ln1.weight') for name in a)
    for l in range(layers):
        p = 'blocks.%d.' % l
        lin = lambda y, name: y @ a[p + name + '.weight'].T + a[p + name + '.bias']
        q, k, v = np.split(lin(norm(x, a[p + 'ln1.weight'], a[p + 'ln1.bias']), 'qkv'), 3, -1)
        z = [attention(q[:, h * d:h * d + d], k[:, h * d:h * d + d], v[:, h * d:h * d + d], plan.get('%d.%d' % (l, h), {}))
             for h in range(heads)]
        x = x + lin(np.concatenate(z, -1), 'proj')
        u = lin(norm(x, a[p + 'ln2.weight'], a[p + 'ln2.bias']), 'fc')
        x = x + lin(u * 0.5 * (1 + erf(u / math.sqrt(2))), 'out')
    return norm(x, a['lnf.weight'], a['lnf.bias']) @ a['emb.weight'].T


def main():
    a, meta = read(sys.argv[1])
    vocab, heads, layers = json.loads(meta['vocab']), int(meta['heads']), int(meta['layers'])
    every = ['%d.%d' % (l, h) for l in range(layers) for h in range(heads)]
    ko, en = '대화 상자를 열고 파일을 저장합니다. 대화 상자를 ', 'Opens the dialog box. Click OK. Opens the dialog '
    mixed = ('대화 상자를 열고 Save 단추를 누릅니다. The document is 저장됩니다. 셀의 내용을 text로 바꾸려면 Format - Cells를 선택하고 OK를 '
             '클릭합니다. 파일을 다시 열 때 ')[:100]
    assert len(mixed) == 100
    pasted = mixed[:50] + '가나 paste' + mixed[50:]
    cases = [
        ('untouched', ko, {}),
        ('0.3 off', ko, {'0.3': {'off': True}}),
        ('1.0, 1.1 and 1.3 off', en, {h: {'off': True} for h in ('1.0', '1.1', '1.3')}),
        ('1.0 without causal mask', ko, {'1.0': {'causal': False}}),
        ('all without causal mask', en, {h: {'causal': False} for h in every}),
        ('all without scale', en, {h: {'scale': 'none'} for h in every}),
        ('layer 1 with keys 3 and 5 hidden', ko, {'1.%d' % h: {'pad': [3, 5]} for h in range(heads)}),
        ('layer 0 filled with 0', en, {'0.%d' % h: {'fill': 0.0} for h in range(heads)}),
        ('0.3 off and 2.1 without causal mask', en, {'0.3': {'off': True}, '2.1': {'causal': False}}),
        ('1.0 over columns', en, {'1.0': {'softmax': 'column'}}),
        ('layer 1 masked after softmax', ko, {'1.%d' % h: {'mask-at': 'after'} for h in range(heads)}),
        ('padding before, forgotten', ko, {}, 3),
        ('padding before, hidden', ko, {h: {'pad': [0, 1, 2], 'empty-row': 'zero'} for h in every}, 3),
        ('typed', mixed, {}),
        ('typed, without causal mask', mixed, {h: {'causal': False} for h in every}),
        ('typed, pasted into', pasted, {}),
        ('typed, pasted into, shortened', pasted[:97], {}),
    ]
    out = []
    for name, text, plan, *left in cases:
        left = left[0] if left else 0
        ids = [0] * left + [1] + [vocab.index(c) for c in text]
        logits = forward(a, ids, heads, plan)
        log_p = logits - logits.max(-1, keepdims=True)
        log_p -= np.log(np.exp(log_p).sum(-1, keepdims=True))
        top = log_p[-1].argsort()[::-1][:5]
        out.append({'name': name, 'text': text, 'left': left, 'plan': plan,
                    'top': [{'id': int(i), 'p': float(np.exp(log_p[-1, i]))} for i in top],
                    'nats': float(-np.mean([log_p[t, ids[t + 1]] for t in range(left, len(ids) - 1)]))})
    json.dump(out, sys.stdout, ensure_ascii=False, indent=1)
    print()


if __name__ == '__main__':
    main()
