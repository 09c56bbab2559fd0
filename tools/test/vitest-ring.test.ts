import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RingResult, runVitestRing } from './vitest-ring.ts';

function run(fixture: string, silentMs?: number, more: string[] = []): Promise<RingResult> {
  const config = join(import.meta.dirname, 'fixtures/vitest.config.ts');
  return runVitestRing({
    name: `fixture-${fixture}`,
    project: 'unit',
    args: [`${fixture}.fixture.ts`, '--config', config, ...more],
    ...(silentMs === undefined ? {} : { silentMs }),
  });
}

// Each starts a separate vitest, which takes seconds and, on a busy machine, tens of seconds.
describe('runVitestRing', { timeout: 240_000 }, () => {
  it('counts what passed, failed and was skipped', async () => {
    expect(await run('fails')).toEqual({
      ...{ passed: 1, failed: 1, skipped: 1, complaints: [], unsteady: [] },
      failures: [expect.stringMatching(/fails\.fixture\.ts > fails: .*expected 1 to be 2/)],
    });
  });

  it('names a test that passed when it was tried again', async () => {
    expect(await run('unsteady', undefined, ['--retry=1'])).toMatchObject({
      ...{ passed: 1, failed: 0, failures: [] },
      unsteady: [expect.stringMatching(/unsteady\.fixture\.ts > passes .*expected 1 to be 2/)],
    });
  });

  it.each([
    ['a file that cannot be loaded fails the ring with its error', 'empty', /empty.*: broken while it loads/],
    ['a file whose set-up fails is not one of skipped tests', 'unready', /unready.*: no database/],
    ['a ring without a file fails', 'absent', /^no test ran$/],
  ])('%s', async (_, fixture, complaint) => {
    const { failed, complaints } = await run(fixture);
    expect({ failed, complaints }).toEqual({ failed: 1, complaints: [expect.stringMatching(complaint)] });
  });

  it('a ring that does not end is killed', async () => {
    expect((await run('stalls', 3_000)).complaints).toEqual(['it was killed after 3 s without output']);
  });
});
