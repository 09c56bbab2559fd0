/** The state of a ring, from the lines of its reporter. */
import type { RingEvent, Status } from './ring-reporter.ts';

export type Counts = { passed: number; failed: number; skipped: number };

export type RingResult = Counts & {
  /** Causes of a failing ring other than failed tests, or explanations of those. */
  complaints: string[];
  /** A line for each failure, for the end of the run. */
  failures: string[];
  files: number;
};

type FileRecord = {
  /** Null until the file is loaded. */
  tests: string[] | null;
  running: Set<string>;
  finished: { test: string; status: Status; errors: string[] }[];
  ended: { status: Status; errors: string[] } | null;
};

export type RingRecord = {
  add(event: RingEvent): void;
  /** The counts of a ring whose vitest ended with `exitCode`. */
  summarise(exitCode: number): RingResult;
  /** The same for one that was killed: what ran, what was running, what did not start. */
  summariseKilled(reason: string): RingResult;
};

export function createRingRecord(): RingRecord {
  const files = new Map<string, FileRecord>();
  let errors: string[] = [];

  function fileOf(path: string): FileRecord {
    let file = files.get(path);
    if (!file) {
      file = { tests: null, running: new Set(), finished: [], ended: null };
      files.set(path, file);
    }
    return file;
  }

  function count(): RingResult {
    const statuses = [...files.values()].flatMap(file => file.finished.map(({ status }) => status));
    const of = (wanted: Status): number => statuses.filter(status => status === wanted).length;
    return {
      passed: of('passed'),
      failed: of('failed'),
      skipped: of('skipped'),
      complaints: [],
      failures: [...files].flatMap(([path, file]) =>
        file.finished
          .filter(({ status }) => status === 'failed')
          .map(({ test, errors }) => `${path} > ${test}: ${firstLineOf(errors)}`),
      ),
      files: [...files.values()].filter(file => file.ended !== null).length,
    };
  }

  return {
    add(event) {
      if (event.event === 'planned') for (const path of event.files) fileOf(path);
      else if (event.event === 'ended') errors = event.errors;
      else {
        const file = fileOf(event.file);
        if (event.event === 'collected') file.tests = event.tests;
        else if (event.event === 'started') file.running.add(event.test);
        else if (event.event === 'file') file.ended = { status: event.status, errors: event.errors };
        else {
          file.running.delete(event.test);
          file.finished.push({ test: event.test, status: event.status, errors: event.errors });
        }
      }
    },

    summarise(exitCode) {
      const result = count();
      for (const [path, file] of files) {
        if (file.ended === null) addFailure(result, `${path} did not end`);
        else if (file.finished.length === 0)
          addFailure(result, `${path} ran nothing: ${file.ended.errors[0]?.trim() || 'it holds no test'}`);
        else if (file.ended.status === 'failed' && !file.finished.some(({ status }) => status === 'failed'))
          addFailure(
            result,
            `${path} failed outside its tests: ${file.ended.errors[0] ?? 'no error is known'}`,
          );
      }
      if (files.size === 0) addFailure(result, 'no test file ran');
      for (const error of errors) addFailure(result, `an error outside every test: ${error}`);
      if (exitCode !== 0 && result.failed === 0) addFailure(result, `vitest ended with ${exitCode}`);
      return result;
    },

    summariseKilled(reason) {
      const result = count();
      addFailure(result, `killed: ${reason}`);
      for (const [path, file] of files) {
        const done = file.finished.length;
        if (done > 0) result.complaints.push(`ran: ${path} (${done} of ${file.tests?.length ?? done} tests)`);
      }
      for (const [path, file] of files) {
        for (const test of file.running) addFailure(result, `was running: ${path} > ${test}`);
      }
      for (const [path, file] of files) {
        if (file.tests === null) result.complaints.push(`did not start: ${path}`);
        const seen = new Set([...file.running, ...file.finished.map(({ test }) => test)]);
        for (const test of file.tests ?? []) {
          if (seen.has(test)) continue;
          result.skipped += 1;
          result.complaints.push(`did not start: ${path} > ${test}`);
        }
      }
      return result;
    },
  };
}

function addFailure(result: RingResult, complaint: string): void {
  result.failed += 1;
  result.complaints.push(complaint);
  result.failures.push(firstLineOf([complaint]));
}

function firstLineOf(errors: readonly string[]): string {
  return errors.join('\n').trim().split('\n', 1)[0] || 'no error is known';
}
