import { expect, it } from 'vitest';
import { type Chapter, type ProofRecord, proofsPage } from './proofs-page.ts';

const claim = {
  goals: ['G-S1'],
  claim: 'No double post.',
  scenarios: ['posting --long'],
  tests: ['a.test.ts'],
};
const chapters = (...claims: Chapter['claims']): Chapter[] => [{ title: 'Goals', claims }];
const record: ProofRecord = {
  scenario: 'posting',
  runs: [
    { flags: '', date: '2026-11-21', verdict: 'proven', figures: { doubles: 0, p99: '2 s' } },
    {
      flags: '--plant fence',
      commit: 'abc1234',
      verdict: 'red',
      figures: { doubles: 25 },
      note: 'As it must be.',
    },
  ],
};
const files = ['tests/lab/scenarios/posting/scenario.ts', 'a.test.ts'];
const exists = (file: string): boolean => files.includes(file);

it('has a row per claim and one per run, planted ones beside the others', () => {
  const text = proofsPage(chapters(claim), [record], exists);
  expect(text).toContain('| G-S1 | No double post. | [`prove -- posting --long`](#runs), `a.test.ts` |  |');
  expect(text).toContain('| `posting` | proven | doubles 0, p99 2 s | 2026-11-21 |  |');
  expect(text).toContain('| `posting --plant fence` | red | doubles 25. As it must be. |  | abc1234 |');
});

it.each([
  ['that nothing shows', { claim: 'x' }, 'nothing shows the claim "x"'],
  ['whose test is gone', { claim: 'x', tests: ['b.test.ts'] }, 'b.test.ts, which is not there'],
  ['whose scenario is gone', { claim: 'x', scenarios: ['kills'] }, 'no scenario "kills"'],
])('refuses a claim %s', (_, wrong, message) => {
  expect(() => proofsPage(chapters(wrong), [record], exists)).toThrow(message);
});

it('refuses a record of a scenario that is gone', () => {
  expect(() => proofsPage(chapters(claim), [{ ...record, scenario: 'kills' }], exists)).toThrow(
    'no scenario',
  );
});
