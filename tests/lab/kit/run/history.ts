/**
 * The recorder: requests, answers and faults, one JSON line each, on disk before the next step. A checker
 * reads it afterwards and trusts nothing that the product says about itself.
 */
import { appendFileSync, readFileSync } from 'node:fs';

export type Recorder<Line> = {
  file: string;
  /**
   * Appends the line with its time (`at`, epoch milliseconds). Synchronous: a recorded answer is never lost
   * to a crash.
   */
  write(line: Line): void;
};

export type Recorded<Line> = Line & { at: number };

export function openRecorder<Line extends object>(file: string): Recorder<Line> {
  return {
    file,
    write: line => appendFileSync(file, `${JSON.stringify({ at: Date.now(), ...line })}\n`, { mode: 0o600 }),
  };
}

/** @throws SyntaxError for a line that is not JSON: a history with a gap proves nothing */
export function readHistory<Line extends object>(file: string): Recorded<Line>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Recorded<Line>);
}
