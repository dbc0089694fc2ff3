"""The numbers that the lessons live-heads, live-induction and live-masks tell, by NumPy in float64: lessons.json.

    python3 lessons.py ../../../assets/model/koen.safetensors > lessons.json

Each fact has the lesson, the page (from 1), how it is `shown` in the texts of that page, its value, and what it is of:
`text`; `options` in force at the heads `at` ("1.0", "1", "all"); heads that are `off`; [PAD] `left` of and `right` of it.
`what` is one of
    nats        mean of -ln p over the characters, those of [PAD] aside
    alone       the same, but each from a text that ends before it, as when the text is written
    p           of the character `next` after row i        weight, score   of head at i:j; score is scaled, not masked
    previous, bos, followed, entropy    of a head, as core/model_heads.h has them; entropy of head "all": their mean
    later       mean weight of a head on later keys        length_bos, length   of V of a head: of [BOS], mean of the others
    sum         of the weights of row i of a head
    greedy      what the likeliest characters go on with, up to `most` (60) or [EOS]; shown is a part of it
    loops       how many of vectors.json's greedy prompts go on, within `most`, with 6 characters or more three times in a row
    ends        how many of them come to [EOS] within `most`
    ratio       e^(score at i:j - score at i:k), both as they are shown        uniform   ln of the number of characters
"""
import json, math, os, re, sys, warnings
import numpy as np
from interventions import erf, norm, read

warnings.simplefilter('ignore')		# nan is one of the answers
LAYERS, HEADS, D, FIRST = 3, 4, 32, 3
A, META = read(sys.argv[1])
VOCAB = json.loads(META['vocab'])
EN = 'Opens the dialog box. Click OK. Opens the dialog '
KO = '대화 상자를 열고 파일을 저장합니다. 대화 상자를 '
ONCE, TWICE = 'qkzxvjwp', 'qkzxvjwp qkzxvjwp'


def heads(words):
    out = set()
    for word in filter(None, words.split(',')):
        for l in range(LAYERS):
            for h in range(HEADS):
                if word in ('all', str(l), '%d.%d' % (l, h)):
                    out.add((l, h))
    return out


def weights_of(scores, o):
    n = len(scores)
    hidden = np.zeros((n, n), bool)
    if o.get('causal') != 'off':
        hidden |= np.triu(np.ones((n, n), bool), 1)
    for j in filter(None, o.get('pad', '').split(',')):
        hidden[:, int(j)] = True
    s = np.where(hidden, -np.inf, scores)
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    if o.get('empty-row') == 'zero':
        w[hidden.all(-1)] = 0
    return w


class Run:
    """ids, log_p [n][V], and of each head scores, weights, v."""

    def __init__(self, fact, ids=None):
        self.left, text = fact.get('left', 0), [1] + [VOCAB.index(c) for c in fact['text']]
        self.ids = ids if ids is not None else [0] * self.left + text + [0] * fact.get('right', 0)
        self.first, self.end = self.left, self.left + len(text)
        o = dict(word.split('=') for word in fact.get('options', '').split())
        at, off = heads(fact.get('at', '')), heads(fact.get('off', ''))
        self.score, self.weight, self.v = {}, {}, {}
        x = A['emb.weight'][self.ids] + A['pos.weight'][:len(self.ids)]
        for l in range(LAYERS):
            lin = lambda y, name: y @ A['blocks.%d.%s.weight' % (l, name)].T + A['blocks.%d.%s.bias' % (l, name)]
            ln = lambda y, name: norm(y, A['blocks.%d.%s.weight' % (l, name)], A['blocks.%d.%s.bias' % (l, name)])
            q, k, v = np.split(lin(ln(x, 'ln1'), 'qkv'), 3, -1)
            z = []
            for h in range(HEADS):
                c, own = slice(h * D, h * D + D), o if (l, h) in at else {}
                self.score[l, h] = q[:, c] @ k[:, c].T / (1 if own.get('scale') == 'none' else math.sqrt(D))
                self.weight[l, h], self.v[l, h] = weights_of(self.score[l, h], own), v[:, c]
                z.append(np.zeros_like(v[:, c]) if (l, h) in off else self.weight[l, h] @ v[:, c])
            x = x + lin(np.concatenate(z, -1), 'proj')
            u = lin(ln(x, 'ln2'), 'fc')
            x = x + lin(u * 0.5 * (1 + erf(u / math.sqrt(2))), 'out')
        logits = norm(x, A['lnf.weight'], A['lnf.bias']) @ A['emb.weight'].T
        m = logits - logits.max(-1, keepdims=True)
        self.log_p = m - np.log(np.exp(m).sum(-1, keepdims=True))

    def surprise(self, t):
        return -self.log_p[t, self.ids[t + 1]]


def figure(run, head, what):
    w, n = run.weight[head], len(run.ids)
    rows = range(FIRST, n)
    if what == 'previous':
        return np.mean([w[i, i - 1] for i in rows])
    if what == 'bos':
        return np.mean([w[i, 0] for i in rows])
    if what == 'later':
        return np.mean([w[i, i + 1:].sum() for i in rows])
    if what == 'entropy':
        return np.mean([-sum(p * math.log(p) for p in w[i, :i + 1] if p > 0) / math.log(i + 1) for i in rows])
    before = {i: [j for j in range(1, i) if run.ids[j] == run.ids[i]] for i in rows}
    return np.mean([w[i, before[i][-1] + 1] for i in rows if before[i] and before[i][-1] + 1 < i])


def greedy(fact):
    ids, out = [1] + [VOCAB.index(c) for c in fact['text']], ''
    while len(out) < fact.get('most', 60) and len(ids) < 128:
        ids.append(int(Run(fact, ids).log_p[-1].argmax()))
        if ids[-1] == 2:
            return out, True
        out += VOCAB[ids[-1]]
    return out, False


def value_of(fact):
    what = fact['what']
    if what == 'uniform':
        return math.log(len(VOCAB))
    if what == 'greedy':
        return greedy(fact)[0]
    if what in ('loops', 'ends'):
        here = os.path.dirname(os.path.abspath(__file__))
        texts = [one['text'] for one in json.load(open(here + '/vectors.json'))['greedy']]
        written = [greedy({**fact, 'text': t}) for t in texts]
        return sum(end if what == 'ends' else bool(re.search(r'(.{6,})\1\1', text)) for text, end in written)
    run = Run(fact)
    if what == 'nats':
        return np.mean([run.surprise(t) for t in range(run.first, run.end - 1)])
    if what == 'alone':
        return np.mean([-Run(fact, run.ids[:t + 1]).log_p[-1, run.ids[t + 1]] for t in range(len(run.ids) - 1)])
    if what == 'p':
        return math.exp(run.log_p[fact['i'], VOCAB.index(fact['next'])])
    if what == 'entropy' and fact['head'] == 'all':
        return np.mean([figure(run, head, what) for head in sorted(heads('all'))])
    head = min(heads(fact['head']))
    if what == 'weight':
        return run.weight[head][fact['i'], fact['j']]
    if what == 'sum':
        return run.weight[head][fact['i']].sum()
    if what == 'score':
        return run.score[head][fact['i'], fact['j']]
    if what == 'ratio':
        return math.exp(round(run.score[head][fact['i'], fact['j']], 2) - round(run.score[head][fact['i'], fact['k']], 2))
    if what == 'length_bos':
        return np.linalg.norm(run.v[head][0])
    if what == 'length':
        return np.linalg.norm(run.v[head][1:], axis=1).mean()
    return figure(run, head, what)


def facts():
    page = None
    en, once, twice = {'text': EN}, {'text': ONCE}, {'text': TWICE}
    leak = {'options': 'causal=off', 'at': '1'}
    three = '1.0,1.1,1.3'
    rounds = lambda n: {'text': 'To save the ' + 'contents of the ' * n, 'what': 'p', 'next': 'c', 'i': 12 + 16 * n}
    f = lambda shown, what, **more: {'lesson': page[0], 'page': page[1], 'shown': shown, 'what': what, **more}
    g = lambda shown, **more: {'lesson': page[0], 'page': page[1], 'shown': shown, **more}

    page = 'live-heads', 3
    yield f('0.99', 'previous', **en, head='0.3')
    yield f('3.84', 'score', **en, head='0.3', i=5, j=4)
    yield f('-1.18', 'score', **en, head='0.3', i=5, j=3)
    yield f('151', 'ratio', **en, head='0.3', i=5, j=4, k=3)
    yield f('0.981', 'weight', **en, head='0.3', i=5, j=4)
    page = 'live-heads', 4
    yield f('0.99', 'previous', text=KO[:-1], head='0.3')
    yield f('0.75', 'p', text=KO, i=28, next='열')
    yield f('0.15', 'p', text=KO, off=three, i=28, next='열')
    page = 'live-heads', 5
    yield f('0.89', 'bos', **en, head='1.1')
    yield f('0.69', 'length_bos', **en, head='1.1')
    yield f('6.18', 'length', **en, head='1.1')
    page = 'live-heads', 6
    yield f('0.77', 'entropy', **en, head='2.2')
    yield f('0.86', 'nats', **en)
    yield f('0.99', 'nats', **en, off='2.2')
    page = 'live-heads', 7
    yield f('0.86', 'nats', **en)
    yield f('0.87', 'nats', **en, off='1.1')
    yield f('2.99', 'nats', **en, off='0.3')
    page = 'live-heads', 8
    yield f('0.75', 'bos', **en, head='1.0')
    yield f('0.82', 'followed', **twice, head='1.0')
    yield f('0.98', 'bos', text=EN[:21], head='1.0')
    yield f('0.74', 'bos', text=EN[:22] + EN[:21], head='1.0')
    yield f('0.90', 'bos', text=EN[:22] + 'Saves a new file now.', head='1.0')

    page = 'live-induction', 1
    yield f('8.67', 'nats', **once)
    yield f('6.59', 'uniform', **once)
    yield f('0.92', 'p', **once, i=8, next='t')
    yield f('0.91', 'p', **twice, i=10, next='k')
    yield f('0.99', 'p', **twice, i=11, next='z')
    page = 'live-induction', 2
    yield f('0.998', 'p', **twice, i=16, next='p')
    yield f('0.967', 'weight', **twice, head='1.0', i=16, j=8)
    yield f('0.82', 'followed', **twice, head='1.0')
    page = 'live-induction', 4
    yield f('0.967', 'weight', **twice, head='1.0', i=16, j=8)
    yield f('0.038', 'weight', **twice, off='0.3', head='1.0', i=16, j=8)
    yield f('0.82', 'followed', **twice, head='1.0')
    yield f('0.05', 'followed', **twice, off='0.3', head='1.0')
    yield f('4.62', 'nats', **twice)
    yield f('8.05', 'nats', **twice, off='0.3')
    page = 'live-induction', 5
    yield f('0.05', 'weight', **twice, off='0.1', head='1.0', i=16, j=8)
    yield f('0.64', 'followed', **twice, off='0.1', head='1.0')
    yield f('0.954', 'weight', **twice, off='0.0', head='1.0', i=16, j=8)
    yield f('0.78', 'followed', **twice, off='0.0', head='1.0')
    page = 'live-induction', 6
    for n, shown in enumerate(['0.11', '0.25', '0.35', '0.56', '0.78', '0.88']):
        yield g(shown, **rounds(n))
    yield f('the contents of the contents of the contents of ', 'greedy', text='To save ')
    page = 'live-induction', 7
    yield g('0.78', **rounds(4))
    yield g('0.20', **rounds(4), off=three)
    yield g('0.20', **rounds(5), off=three)
    yield f('the selected object to the current document.', 'greedy', text='To save ', off=three)
    for most in (80, 110):		# told in words
        yield f('', 'loops', text='', most=most)
        yield f('', 'loops', text='', off=three, most=most)
    yield f('', 'ends', text='', off=three, most=110)
    yield f('content content', 'greedy', text='The ', off=three, most=80)
    yield f('8.56', 'nats', **twice, off=three)
    yield f('4.62', 'nats', **twice)

    page = 'live-masks', 1
    yield f('8.67', 'nats', **once)
    yield f('2.02', 'nats', **once, **leak)
    page = 'live-masks', 2
    yield f('0.999', 'p', **once, **leak, i=7, next='p')
    yield f('0.982', 'weight', **once, **leak, head='1.0', i=7, j=8)
    yield f('0.98', 'weight', **once, **leak, head='1.0', i=2, j=3)
    page = 'live-masks', 3
    yield f('0.999', 'p', **once, **leak, i=7, next='p')
    yield f('0.91', 'p', text=ONCE[:-1], **leak, i=7, next='r')
    yield f('0.0003', 'p', text=ONCE[:-1], **leak, i=7, next='p')
    page = 'live-masks', 4
    yield f('0.34', 'nats', **en, **leak)
    yield f('0.86', 'nats', **en)
    yield f('0.91', 'alone', **en, **leak)
    page = 'live-masks', 5
    yield f('3.11', 'nats', **en, options='causal=off', at='all')
    yield f('0.86', 'nats', **en)
    yield f('0.62', 'later', **en, options='causal=off', at='all', head='0.3')
    page = 'live-masks', 6
    yield f('0.45', 'entropy', **en, head='all')
    yield f('0.09', 'entropy', **en, options='scale=none', at='all', head='all')
    yield f('0.86', 'nats', **en)
    yield f('2.79', 'nats', **en, options='scale=none', at='all')
    yield f('0.92', 'nats', **en, options='scale=none', at='1.0')
    yield f('2.22', 'nats', **en, options='scale=none', at='0.1')
    page = 'live-masks', 7
    yield f('2.27', 'nats', **en, left=3)
    yield f('0.86', 'nats', **en)
    yield f('nan', 'nats', **en, left=3, options='pad=0,1,2', at='all')
    page = 'live-masks', 8
    yield f('1.000', 'sum', **en, left=3, options='pad=0,1,2', at='all', head='1.1', i=15)
    yield f('nan', 'sum', **en, left=3, options='pad=0,1,2', at='all', head='2.1', i=15)
    yield f('1.15', 'nats', **en, left=3, options='pad=0,1,2 empty-row=zero', at='all')
    yield f('0.86', 'nats', **en, right=3)


def main():
    out = []
    for fact in facts():
        value = value_of(fact)
        out.append({**fact, 'value': value if isinstance(value, str) else None if math.isnan(value) else float(value)})
    print('[\n' + ',\n'.join(json.dumps(fact, ensure_ascii=False) for fact in out) + '\n]')


main()
