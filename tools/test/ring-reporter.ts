/** A vitest reporter: one JSON line per event, on the file descriptor of `HOOKLINE_RING_FD`. */
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestCase, TestModule, TestSpecification } from 'vitest/node';
import { ROOT } from './run-command.ts';

export type Status = 'passed' | 'failed' | 'skipped';

/** `file` is the path from the repository's root; `tests` and `test` are full names. */
export type RingEvent =
  | { event: 'planned'; files: string[] }
  | { event: 'collected'; file: string; tests: string[] }
  | { event: 'started'; file: string; test: string }
  | { event: 'finished'; file: string; test: string; status: Status; ms: number; errors: string[] }
  | { event: 'file'; file: string; status: Status; errors: string[] }
  | { event: 'ended'; reason: string; errors: string[] };

type Module = { moduleId: string };

const pathOf = ({ moduleId }: Module): string => relative(ROOT, moduleId);

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file.
export default class RingReporter {
  private readonly fd = Number(process.env.HOOKLINE_RING_FD);

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.write({ event: 'planned', files: specifications.map(pathOf) });
  }

  onTestModuleCollected(module: TestModule): void {
    const tests = [...module.children.allTests()].map(test => test.fullName);
    this.write({ event: 'collected', file: pathOf(module), tests });
  }

  onTestCaseReady(test: TestCase): void {
    this.write({ event: 'started', file: pathOf(test.module), test: test.fullName });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    const status = state === 'passed' || state === 'failed' ? state : 'skipped';
    const ms = Math.round(test.diagnostic()?.duration ?? 0);
    this.write({
      event: 'finished',
      file: pathOf(test.module),
      test: test.fullName,
      status,
      ms,
      errors: errors.map(error => error.message),
    });
  }

  onTestModuleEnd(module: TestModule): void {
    const state = module.state();
    const status = state === 'passed' || state === 'failed' ? state : 'skipped';
    const errors = module.errors().map(error => error.message);
    this.write({ event: 'file', file: pathOf(module), status, errors });
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    errors: readonly { message: string }[],
    reason: string,
  ): void {
    this.write({ event: 'ended', reason, errors: errors.map(error => error.message) });
  }

  /** Written at once, so that events before a kill are known. */
  private write(event: RingEvent): void {
    // Node's `readline` ends a line at these two as well, and a test may be named after them.
    const line = JSON.stringify(event).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
    writeSync(this.fd, `${line}\n`);
  }
}
