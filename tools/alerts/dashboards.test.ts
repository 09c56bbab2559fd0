import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../test/run-command.ts';
import { knownSeries } from './known-series.ts';
import { listRules, metricsOf } from './rules.ts';

type Panel = {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; datasource: { uid: string } }[];
};
type Dashboard = {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { definition: string }[] };
};

const folder = join(ROOT, 'deploy/dashboards');
const dashboards = readdirSync(folder)
  .filter(name => name.endsWith('.json'))
  .map(name => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Dashboard] as const);
const known = new Set([...knownSeries(), ...listRules().flatMap(rule => rule.record ?? [])]);
// The ways in which Grafana queries the values of a label.
const labelValues = /^label_values\((\w+)/;

describe.each(dashboards)('dashboard %s', (name, { uid, panels, templating }) => {
  it('asks only for metrics that a service exports', () => {
    const asked = panels.flatMap(panel => (panel.targets ?? []).flatMap(({ expr }) => metricsOf(expr)));
    const ofVariables = templating.list.map(
      ({ definition }) => labelValues.exec(definition)?.[1] ?? definition,
    );
    expect(asked.length).toBeGreaterThan(0);
    expect([...asked, ...ofVariables].filter(metric => !known.has(metric))).toEqual([]);
  });

  it('asks the data source that compose provides, and is found under its own name', () => {
    const stores = readFileSync(
      join(ROOT, 'deploy/compose/grafana/provisioning/datasources/stores.yaml'),
      'utf8',
    );
    const asked = new Set(
      panels.flatMap(panel => (panel.targets ?? []).map(target => target.datasource.uid)),
    );
    expect([...asked].filter(store => !stores.includes(`uid: ${store}\n`))).toEqual([]);
    expect(`${uid}.json`).toBe(`hookline-${name}`);
  });

  it('has panels that do not cover each other', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

describe('every metric', () => {
  it('is shown on a dashboard or watched by an alert', () => {
    const exprs = [
      ...dashboards.flatMap(([, { panels }]) =>
        panels.flatMap(panel => (panel.targets ?? []).map(({ expr }) => expr)),
      ),
      ...listRules().map(({ expr }) => expr),
    ];
    const used = new Set(exprs.flatMap(metricsOf).map(metric => metric.replace(/_(bucket|count|sum)$/, '')));
    const all = [...knownSeries()].map(metric => metric.replace(/_(bucket|count|sum)$/, ''));
    expect(all.filter(metric => !used.has(metric))).toEqual([]);
  });
});
