import { describe, expect, it } from 'vitest';
import { summarise } from './vitest-ring.ts';

function file(status: string, ...tests: string[]) {
  return { name: 'a.test.ts', status, message: '', assertionResults: tests.map(each => ({ status: each })) };
}

describe('summarise', () => {
  it('counts passed and failed tests, and everything else as skipped', () => {
    const report = {
      testResults: [file('failed', 'passed', 'failed', 'pending', 'todo'), file('passed', 'passed')],
    };
    expect(summarise(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2, complaints: [], files: 2 });
  });

  it('fails a ring in which no file ran', () => {
    expect(summarise({ testResults: [] }, 0)).toMatchObject({ failed: 1, complaints: ['no test file ran'] });
  });

  it('fails a file that ran nothing', () => {
    const result = summarise({ testResults: [file('passed', 'passed'), file('passed')] }, 0);
    expect(result).toMatchObject({
      passed: 1,
      failed: 1,
      complaints: ['a.test.ts ran nothing: it holds no test'],
    });
  });

  it('fails a file whose set-up failed although no test of it did', () => {
    expect(summarise({ testResults: [file('failed', 'pending')] }, 1)).toMatchObject({
      failed: 1,
      skipped: 1,
    });
  });

  it('fails when vitest does without any failed test, as after an unhandled error', () => {
    const result = summarise({ testResults: [file('passed', 'passed')] }, 1);
    expect(result).toMatchObject({ failed: 1, complaints: ['vitest ended with 1'] });
  });
});
