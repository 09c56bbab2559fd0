import { expect, it } from 'vitest';
import { judge, judgeOffsets, type Memory, type Standing } from './went-back.ts';

const memory: Memory = {
  ...{ systemId: 'a', timeline: 3, lsn: '9007199254740993', settledAtMs: 5 },
  attempts: [{ id: 'attempt', atMs: 1 }],
};
const seen = (changed: Partial<Standing> = {}): Standing => ({
  ...{ systemId: 'a', timeline: 3, lsn: '9007199254740993', settledAtMs: 5, missing: 0 },
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
] as const)('%s', (_, changed, kind) => {
  expect(judge(memory, seen(changed)).kind).toBe(kind);
});

it('knows nothing at the first start', () => {
  expect(judge(null, seen({ missing: 0, lsn: '1' })).kind).toBe('same');
});

it('finds the bus ahead of what the database has noted', () => {
  const noted = [
    { topic: 't', partition: 0, settled: 8 },
    { topic: 't', partition: 1, settled: 0 },
  ];
  const bus = (confirmed: number | null, partition = 0) => [{ topic: 't', partition, confirmed, end: 20 }];
  expect(judgeOffsets(noted, bus(8)).kind).toBe('same');
  expect(judgeOffsets(noted, bus(null)).kind).toBe('same');
  expect(judgeOffsets(noted, bus(9)).kind).toBe('went_back');
  expect(judgeOffsets(noted, bus(1, 1)).kind).toBe('went_back');
  expect(judgeOffsets(noted, bus(9, 2)).kind).toBe('same');
  expect(judgeOffsets(noted, bus(21)).kind).toBe('same');
});
