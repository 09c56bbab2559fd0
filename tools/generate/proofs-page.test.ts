import { expect, it } from 'vitest';
import { type Chapter, type Goal, type ProofRecord, proofsPage } from './proofs-page.ts';

const goal = { id: 'G-S1', goal: 'No double post.', scenarios: ['posting --long'], tests: ['a/b.test.ts'] };
const chapters = (...goals: Goal[]): Chapter[] => [{ title: 'Posting', goals }];
const record: ProofRecord = {
  scenario: 'posting',
  runs: [
    { flags: '--plant fence', date: '2026-11-23', verdict: 'red' },
    { flags: '', date: '2026-11-21', verdict: 'proven' },
    { flags: '--long', date: '2026-11-22', verdict: 'proven' },
  ],
};
const files = ['tests/lab/scenarios/posting/scenario.ts', 'a/b.test.ts'];
const exists = (file: string): boolean => files.includes(file);

it('a goal has the last run with its flags, or one without flags, and never a planted one', () => {
  const text = proofsPage(chapters(goal, { ...goal, scenarios: ['posting --minutes 3'] }), [record], exists);
  expect(text).toContain(
    '| G-S1 | No double post. | `prove -- posting --long` (2026-11-22), [`b.test.ts`](../a/b.test.ts) |',
  );
  expect(text).toContain('`prove -- posting --minutes 3` (2026-11-21)');
});

it('a goal without evidence says so, as does one that is shown in part', () => {
  const text = proofsPage(chapters({ goal: 'x.' }, { goal: 'y.', unproven: 'half of it.' }), [], exists);
  expect(text).toContain('| – | x. | nothing |');
  expect(text).toContain('| – | y. Unproven: half of it. | nothing |');
});

it.each([
  ['test', { goal: 'x', tests: ['b.test.ts'] }, 'names b.test.ts, which is not there'],
  ['scenario', { goal: 'x', scenarios: ['kills --long'] }, 'names kills, which is not there'],
])('a goal whose %s is gone is refused', (_, wrong, message) => {
  expect(() => proofsPage(chapters(wrong), [record], exists)).toThrow(message);
});
