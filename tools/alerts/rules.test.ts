import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../test/run-command.ts';
import { knownSeries } from './known-series.ts';
import { listRules, metricsOf } from './rules.ts';

const rules = listRules();
const alerts = rules.filter(rule => rule.alert !== undefined);
/** Text of each section of the runbooks, by the alert that it is for. */
const runbooks = new Map(
  readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8')
    .split('\n## ')
    .slice(1)
    .map(section => [section.split('\n')[0] ?? '', section]),
);

describe('alert rules', () => {
  it('ask for nothing that no service exports', () => {
    const known = new Set([...knownSeries(), ...rules.flatMap(rule => rule.record ?? [])]);
    const asked = rules.flatMap(rule => metricsOf(rule.expr));
    expect(asked.length).toBeGreaterThan(rules.length);
    expect(asked.filter(name => !known.has(name))).toEqual([]);
  });

  it.each(alerts.map(rule => [rule.alert ?? '', rule] as const))(
    '%s has a severity, a summary and a runbook that says what to look at and what to do',
    (name, { labels, annotations }) => {
      expect(labels?.severity).toMatch(/^(page|ticket)$/);
      expect(annotations?.summary).toMatch(/\.$/);
      expect(annotations?.runbook).toBe(`docs/runbooks.md#${name.toLowerCase()}`);
      expect(runbooks.get(name)).toContain('\n**Look at**\n');
      expect(runbooks.get(name)).toContain('\n**Do**\n');
    },
  );

  it('have a name each, and every runbook is of one', () => {
    expect(new Set(alerts.map(rule => rule.alert)).size).toBe(alerts.length);
    expect([...runbooks.keys()].toSorted()).toEqual(alerts.map(rule => rule.alert ?? '').toSorted());
  });
});

describe('metricsOf', () => {
  it.each([
    [
      'sum by (service) (rate(a_total{b="c"}[5m])) / on (x) group_left (y) d:e:f > 14.4 * 0.001',
      ['a_total', 'd:e:f'],
    ],
    ['absent(up{job="h"}) or min(x{y=~"z|w"}) == 0 unless (q offset 5m) > 1e3', ['up', 'x', 'q']],
    ['histogram_quantile(0.99, sum by (le) (rate(h_bucket[$__rate_interval])))', ['h_bucket']],
  ])('of %s', (expr, names) => {
    expect(metricsOf(expr)).toEqual(names);
  });
});
