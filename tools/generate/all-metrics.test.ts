import { describe, expect, it } from 'vitest';
import { allAttributes, allMetrics, allSpans, prometheusSeries } from './all-metrics.ts';

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe('metrics, spans and attributes', () => {
  it('are declared once', () => {
    expect(repeated(allMetrics.flatMap(prometheusSeries))).toEqual([]);
    expect(repeated(allSpans.map(({ name }) => name))).toEqual([]);
    expect(repeated(allAttributes.map(([name]) => name))).toEqual([]);
  });

  it('no attribute is declared that nothing carries', () => {
    const carried = new Set([...allMetrics, ...allSpans].flatMap(({ attributes }) => attributes));
    expect(allAttributes.map(([name]) => name).filter(name => !carried.has(name))).toEqual([]);
  });
});
