import { expect, it } from 'vitest';
import { isShortened, judge, type Memory, type Standing } from './went-back.rules.ts';

const memory: Memory = {
  ...{ systemId: 'a', timeline: 3, lsn: '9007199254740993', settledAtMs: 5 },
  attempts: [{ id: 'attempt', atMs: 1 }],
};
const seen = (changed: Partial<Standing> = {}): Standing => ({
  ...{
    systemId: 'a',
    timeline: 3,
    lsn: '9007199254740993',
    settledAtMs: 5,
    missing: 0,
    flushed: '9007199254740993',
  },
  ...changed,
});

it.each([
  ['where it was', {}, 'same'],
  ['further on', { lsn: '9007199254740994' }, 'same'],
  ['a byte short of what was committed', { lsn: '9007199254740992' }, 'went_back'],
  ['promoted, with everything', { timeline: 4, lsn: '9007199254740995' }, 'moved'],
  ['promoted, and shorter', { timeline: 4, lsn: '1' }, 'went_back'],
  [
    'promoted, already longer, without the last call',
    { timeline: 4, lsn: '9007199254740999', missing: 1 },
    'went_back',
  ],
  ['an older timeline', { timeline: 2, lsn: '9007199254740999' }, 'went_back'],
  ['another cluster that holds the last calls', { systemId: 'b', timeline: 1, lsn: '1' }, 'moved'],
  ['another cluster that lacks one', { systemId: 'b', timeline: 1, lsn: '1', missing: 1 }, 'went_back'],
  ['settled by an operator since', { settledAtMs: 6, missing: 1, lsn: '1' }, 'settled'],
  ['from before the last settlement', { settledAtMs: 0 }, 'went_back'],
  ['a server that does not tell, with the last calls', { systemId: null, timeline: null, lsn: null }, 'same'],
  [
    'a server that does not tell, without',
    { systemId: null, timeline: null, lsn: null, missing: 1 },
    'went_back',
  ],
] as const)('judge recognizes a database %s', (_, changed, kind) => {
  expect(judge(memory, seen(changed)).kind).toBe(kind);
});

it('judge knows nothing at the first start', () => {
  expect(judge(null, seen({ missing: 0, lsn: '1' })).kind).toBe('same');
});

it.each([
  ['further on', { lsn: '9007199254740994' }, false],
  ['a byte short of what was flushed', { lsn: '9007199254740992' }, true],
  ['short on another timeline', { lsn: '1', timeline: 4 }, false],
  ['short on another server', { lsn: '1', systemId: 'b' }, false],
  ['of a server that does not tell', { systemId: null, timeline: null, lsn: null }, false],
] as const)('isShortened: a log %s', (_, changed, isShort) => {
  expect(isShortened(seen(), seen(changed))).toBe(isShort);
  expect(isShortened(null, seen(changed))).toBe(false);
});
