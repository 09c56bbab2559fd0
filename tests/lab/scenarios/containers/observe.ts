/**
 * Reads what the profile `observe` collected: one trace over several services, and every
 * panel of every dashboard.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../kit/product/processes.ts';

const dashboards = join(repositoryRoot, 'deploy/dashboards');

/**
 * The trace with spans of the most services in a log of the collector's debug exporter.
 * @returns its id and the names of the services
 */
export function findWidestTrace(log: string): { traceId: string; services: string[] } {
  const traces = new Map<string, Set<string>>();
  let service = '';
  for (const line of log.split('\n')) {
    service = /service\.name: Str\(([^)]+)\)/.exec(line)?.[1] ?? service;
    const traceId = /Trace ID\s*: ([0-9a-f]{32})/.exec(line)?.[1];
    if (traceId !== undefined) traces.set(traceId, (traces.get(traceId) ?? new Set()).add(service));
  }
  let widest = { traceId: '', services: [] as string[] };
  for (const [traceId, services] of traces)
    if (services.size > widest.services.length) widest = { traceId, services: [...services].toSorted() };
  return widest;
}

export type Panel = { dashboard: string; title: string; expressions: string[] };

const Dashboard = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
});

/** The panels of the dashboards, with values for the variables that Grafana fills in. */
export function readPanels(): Panel[] {
  return readdirSync(dashboards)
    .filter(file => file.endsWith('.json'))
    .map(file => Dashboard.parse(JSON.parse(readFileSync(join(dashboards, file), 'utf8'))))
    .flatMap(({ uid, panels }) =>
      // Without a query it is the heading of a row, or a text.
      panels
        .filter(({ targets }) => targets.length > 0)
        .map(({ title, targets }) => ({
          dashboard: uid,
          title,
          expressions: targets.map(({ expr }) =>
            expr.replaceAll('$__rate_interval', '2m').replace(/"\$(service|route)"/g, '".*"'),
          ),
        })),
    );
}

const Result = z.object({
  status: z.string(),
  error: z.string().optional(),
  data: z.object({ result: z.array(z.unknown()) }).optional(),
});

/** Asks each panel's queries. @param ask the text that Prometheus answers to a query */
export async function readDashboards(
  ask: (queries: readonly string[]) => Promise<string[]>,
): Promise<{ panels: number; withData: number; empty: string[]; failed: string[] }> {
  const panels = readPanels();
  const answers = await ask(panels.flatMap(panel => panel.expressions));
  const empty: string[] = [];
  const failed: string[] = [];
  for (const panel of panels) {
    const own = answers.splice(0, panel.expressions.length).map(text => Result.parse(JSON.parse(text)));
    const name = `${panel.dashboard}: ${panel.title}`;
    for (const { status, error } of own) if (status !== 'success') failed.push(`${name}: ${error}`);
    if (own.every(({ data }) => (data?.result.length ?? 0) === 0)) empty.push(name);
  }
  return { panels: panels.length, withData: panels.length - empty.length, empty, failed };
}
