import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPromisedCount } from './count-promise.ts';

const cases = readFileSync(new URL('./count-promise.cases.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line && !line.startsWith('# hook'))
  .map(line => {
    const [hook, promised, why] = line.split('\t') as [string, string, string];
    return { hook, promised: promised === 'none' ? null : Number(promised), why };
  });

describe('findPromisedCount', () => {
  it('has no case of the table twice', () => {
    expect(new Set(cases.map(({ hook }) => hook)).size).toBe(cases.length);
  });

  it.each(cases)('$hook -> $promised ($why)', ({ hook, promised }) => {
    expect(findPromisedCount(hook)).toBe(promised);
  });

  it.each([' in 2026', ' for $5', ' 🌱'])('does not change its answer when%s is added', suffix => {
    for (const { hook, promised } of cases)
      expect([hook, findPromisedCount(hook + suffix)]).toEqual([hook, promised]);
  });

  it.each([
    ['', null],
    ['🌱🌱🌱', null],
    ['\ud83c', null],
    ['\u200f5\u200f habits', 5],
    ['5\u00a0habits', 5],
    ['5\nhabits', 5],
    ['fünf Tipps für Montag'.normalize('NFD'), 5],
    [`${'9'.repeat(40)} ways`, null],
    ['CV mistakes that cost interviews', null],
    ['How to plan a week in 5 steps', 5],
    ['A couple on a budget', null],
    ['Ten quiet minutes and a cup of tea', null],
    ['4 dinners in 20 minutes', 4],
    ['7 evening habits for tired people', 7],
    ['7 evenings without a screen', null],
    ['A couple of days off', null],
    ['4 things to know about ことば', 4],
    ['Google Mapsで5分', null],
    ['iPhoneで使えるメモ 5選', 5],
  ])('%j -> %s', (hook, promised) => {
    expect(findPromisedCount(hook)).toBe(promised);
    expect(findPromisedCount(hook)).toBe(promised);
  });

  it('reads 5,000 characters in a moment', () => {
    const hooks = [
      '5 '.repeat(2500),
      '1-'.repeat(2500),
      'seven '.repeat(833),
      "l'".repeat(2500),
      '٧'.repeat(5000),
    ];
    const startedAt = performance.now();
    for (const hook of hooks) findPromisedCount(hook);
    // 10 ms on a calm machine, 90 on a busy one.
    expect(performance.now() - startedAt).toBeLessThan(500 * hooks.length);
  });
});
