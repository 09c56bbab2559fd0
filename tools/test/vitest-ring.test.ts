import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RingResult, runVitestRing } from './vitest-ring.ts';

const firstTry = join(tmpdir(), `hookline-first-try-${process.pid}`);

function run(fixtures: readonly string[], silentMs = 600_000): Promise<RingResult> {
  rmSync(firstTry, { force: true });
  process.env.FIRST_TRY_FILE = firstTry;
  const config = join(import.meta.dirname, 'fixtures/vitest.config.ts');
  return runVitestRing({
    name: `fixture-${fixtures[0]}`,
    project: 'unit',
    args: [...fixtures.map(name => `${name}.fixture.ts`), `--config=${config}`],
    isRepeated: true,
    silentMs,
  });
}

// Each starts a separate vitest, which takes seconds and, on a busy machine, tens of seconds.
describe('runVitestRing', { timeout: 240_000 }, () => {
  it('counts tests, files that do not load and set-ups that fail', async () => {
    const { complaints, failures, ...counted } = await run(['fails', 'empty', 'unready']);
    expect(counted).toEqual({ passed: 1, failed: 3, skipped: 2 });
    expect(failures.sort()).toEqual([
      expect.stringMatching(/empty.*: broken while it loads/),
      expect.stringMatching(/fails\.fixture\.ts > fails: .*expected 1 to be 2/),
      expect.stringMatching(/unready.*: no database/),
    ]);
    expect(complaints).toHaveLength(2);
  });

  it('a file that fails runs again, and a ring names what passed then', async () => {
    expect(await run(['unsteady'])).toEqual({
      ...{ passed: 2, failed: 0, skipped: 0, complaints: [], failures: [] },
      unsteady: [expect.stringMatching(/unsteady\.fixture\.ts failed outside its tests: .*not ready yet/)],
    });
    expect(await run(['unsteady', 'fails'])).toMatchObject({ passed: 1, failed: 2 });
  });

  it('a ring without a file fails', async () => {
    const { failed, complaints } = await run(['absent']);
    expect({ failed, complaints }).toEqual({ failed: 1, complaints: ['no test ran'] });
  });

  it('a ring that does not end is killed', async () => {
    expect((await run(['stalls'], 3_000)).complaints).toEqual(['it was killed after 3 s without output']);
  });
});
