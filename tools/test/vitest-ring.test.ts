import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRingRecord, type RingResult } from './ring-record.ts';
import type { RingEvent } from './ring-reporter.ts';
import { type RingLimits, runVitestRing } from './vitest-ring.ts';

function run(fixture: string, limits: Partial<RingLimits> = {}): Promise<RingResult> {
  return runVitestRing({
    name: `fixture-${fixture}`,
    project: 'unit',
    only: [`${fixture}.fixture.ts`],
    config: join(import.meta.dirname, 'fixtures/vitest.config.ts'),
    limits,
    isSilent: true,
  });
}

const path = (fixture: string): string => `tools/test/fixtures/${fixture}.fixture.ts`;

// Each starts a separate vitest, which takes seconds and, on a busy machine, tens of seconds.
describe('runVitestRing', { timeout: 240_000 }, () => {
  it('counts what passed, failed and was skipped', async () => {
    expect(await run('fails')).toEqual({
      ...{ passed: 1, failed: 1, skipped: 1, complaints: [], files: 1 },
      failures: [expect.stringMatching(/fails\.fixture\.ts > fails: expected 1 to be 2/)],
    });
  });

  it('fails for a file that cannot be loaded, with its error', async () => {
    const { failed, complaints } = await run('empty');
    expect(failed).toBeGreaterThan(0);
    expect(complaints[0]).toMatch(/empty\.fixture\.ts ran nothing: .*broken while it loads/);
  });

  it('kills a ring that stalls and names what ran, what was running and what did not start', async () => {
    const result = await run('stalls', { stallMs: 10_000 });
    expect(result).toMatchObject({ passed: 1, failed: 2, skipped: 1 });
    expect(result.complaints).toEqual([
      'killed: no test started or ended for 10 s',
      `ran: ${path('stalls')} (1 of 3 tests)`,
      `was running: ${path('stalls')} > never ends`,
      `did not start: ${path('stalls')} > has no turn`,
    ]);
  });

  it('lets a slow ring go on for as long as it progresses', async () => {
    // Twelve steps of a second: together longer than the limit, each far shorter, even on a busy machine.
    const { passed, complaints } = await run('slow', { stallMs: 10_000 });
    expect({ passed, complaints }).toEqual({ passed: 12, complaints: [] });
  });

  it('kills a ring that progresses for longer than the absolute bound', async () => {
    const { complaints } = await run('slow', { totalMs: 2_000 });
    expect(complaints[0]).toBe('killed: it ran for 2 s');
  });
});

describe('createRingRecord', () => {
  function summarise(exitCode: number, ...events: RingEvent[]): RingResult {
    const record = createRingRecord();
    for (const event of events) record.add(event);
    return record.summarise(exitCode);
  }
  const file = 'a.test.ts';
  const planned: RingEvent = { event: 'planned', files: [file] };
  const passed: RingEvent = { event: 'finished', file, test: 'a', status: 'passed', ms: 1, errors: [] };

  it('fails a ring in which no file ran', () => {
    expect(summarise(0)).toMatchObject({ failed: 1, complaints: ['no test file ran'] });
  });

  it('fails a file whose set-up failed although no test of it did', () => {
    const skipped: RingEvent = { event: 'finished', file, test: 'a', status: 'skipped', ms: 0, errors: [] };
    const ended: RingEvent = { event: 'file', file, status: 'failed', errors: ['no database'] };
    const result = summarise(1, planned, skipped, ended);
    expect(result).toMatchObject({ failed: 1, skipped: 1 });
    expect(result.complaints).toEqual(['a.test.ts failed outside its tests: no database']);
  });

  it('names each failed test with the first line of its error, for the end of the run', () => {
    const failed: RingEvent = { ...passed, test: 'b', status: 'failed', errors: ['expected 1\nto be 2'] };
    const ended: RingEvent = { event: 'file', file, status: 'failed', errors: [] };
    const result = summarise(1, planned, passed, failed, ended);
    expect(result.failures).toEqual(['a.test.ts > b: expected 1']);
    expect(summarise(1, planned, passed).failures).toEqual(['a.test.ts did not end']);
  });

  it('fails a file that did not end, as after a crash of vitest', () => {
    expect(summarise(1, planned, passed)).toMatchObject({ passed: 1, complaints: ['a.test.ts did not end'] });
  });

  it('fails when vitest does without any failed test', () => {
    const ended: RingEvent = { event: 'file', file, status: 'passed', errors: [] };
    expect(summarise(1, planned, passed, ended)).toMatchObject({
      failed: 1,
      complaints: ['vitest ended with 1'],
    });
  });
});
