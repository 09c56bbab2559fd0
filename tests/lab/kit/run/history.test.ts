import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openVerdicts, tooFew } from '../checks/verdict.ts';
import { openRecorder, readHistory } from './history.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-history-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('keeps every line with its time, in order, and refuses a torn one', () => {
  const recorder = openRecorder<{ kind: string }>(join(folder, 'history.jsonl'));
  for (const kind of ['asked', 'told']) recorder.write({ kind });
  const lines = readHistory<{ kind: string }>(recorder.file);
  expect(lines.map(line => line.kind)).toEqual(['asked', 'told']);
  expect(lines.every(line => Date.now() - line.at < 10_000)).toBe(true);
  appendFileSync(recorder.file, '{"kind":');
  expect(() => readHistory(recorder.file)).toThrow(SyntaxError);
});

it('prints the five words per invariant, and what is wrong', () => {
  const verdicts = openVerdicts(['posts', 'pace']);
  verdicts.find('posts', 'ok', 'a');
  expect(verdicts.isGreen()).toBe(true);
  verdicts.find('posts', 'duplicated', 'b is there twice');
  expect(verdicts.isGreen()).toBe(false);
  expect(verdicts.lines()).toEqual([
    '  posts: ok 1, lost 0, unexpected 0, duplicated 1, recovered 0',
    '    duplicated: b is there twice',
    '  pace: ok 0, lost 0, unexpected 0, duplicated 0, recovered 0',
  ]);
  expect(() => verdicts.find('unheard of', 'ok', '')).toThrow('no invariant');
});

it('says which faults were too few', () => {
  expect(tooFew({ kills: 3, stops: 2 }, { kills: 3, stops: 3, drops: 1 })).toEqual([
    'only 2 of at least 3: stops',
    'only 0 of at least 1: drops',
  ]);
});
