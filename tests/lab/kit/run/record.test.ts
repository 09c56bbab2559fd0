import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ProofRecord, recordRun } from './record.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-records-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const began = new Date('2026-11-22T10:00:00Z');
const read = (): ProofRecord => JSON.parse(readFileSync(join(folder, 'chaos.json'), 'utf8'));

it('keeps the last run of each set of flags: a planted one is listed with the others', () => {
  recordRun('chaos', ['--record'], began, { isProven: false, figures: { lost: 1 } }, folder);
  recordRun('chaos', ['--plant', 'fence', '--record'], began, { isProven: false, figures: {} }, folder);
  recordRun('chaos', ['--record'], began, { isProven: true, figures: { lost: 0 } }, folder);
  const { scenario, runs } = read();
  expect(scenario).toBe('chaos');
  expect(runs.map(({ flags, date, verdict, figures }) => ({ flags, date, verdict, figures }))).toEqual([
    { flags: '', date: '2026-11-22', verdict: 'proven', figures: { lost: 0 } },
    { flags: '--plant fence', date: '2026-11-22', verdict: 'red', figures: {} },
  ]);
  expect(runs[0]?.commit).toMatch(/^[0-9a-f]{7,}\+?$/);
});
