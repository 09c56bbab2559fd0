/**
 * Judges the spans of a journey: one trace, whole, with names that the registry or the
 * semantic conventions know.
 */
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { allSpans } from '../../../../tools/generate/all-metrics.ts';
import type { SeenSpan } from '../servers/trace-collector.ts';

export type JourneyTrace = {
  traceId: string;
  /** Spans of the client, which does not report to a collector. */
  clientSpanIds: ReadonlySet<string>;
};

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
const ownScope = 'hookline';
const foreignNames: ReadonlySet<unknown> = new Set(Object.values(conventions));

/**
 * @param expected `<service> <span name>`, repeated as often as it must occur. @returns the faults; empty
 * when there are none
 */
export function checkJourney(
  spans: readonly SeenSpan[],
  { traceId, clientSpanIds }: JourneyTrace,
  expected: readonly string[],
): string[] {
  const ids = new Set(spans.map(span => span.spanId));
  const orphans = spans.filter(
    ({ parentSpanId }) => parentSpanId !== '' && !ids.has(parentSpanId) && !clientSpanIds.has(parentSpanId),
  );
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === '');
  const counts = new Map<string, number>();
  for (const { service, name } of spans) {
    const key = `${service} ${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const wanted = Map.groupBy(expected, name => name);
  return [
    ...[...wanted]
      .filter(([name, { length }]) => (counts.get(name) ?? 0) < length)
      .map(([name, { length }]) => `${counts.get(name) ?? 0} of ${length}: ${name}`),
    ...orphans.map(({ service, name }) => `orphan: ${service} ${name}`),
    ...roots.map(({ service, name }) => `has a root of its own: ${service} ${name}`),
    ...spans.flatMap(findWrongNames),
  ].map(complaint => `${traceId}: ${complaint}`);
}

/** Names of a span and its attributes that nothing declares. */
function findWrongNames({ scope, name, kind, attributes }: SeenSpan): string[] {
  if (scope !== ownScope) {
    return attributes
      .filter(attribute => !foreignNames.has(attribute))
      .map(attribute => `${scope}: ${attribute} is no name of the semantic conventions`);
  }
  const definition = definitionOf(name, kind);
  if (!definition) return [`no span is called ${name} with kind ${kind}`];
  return attributes
    .filter(attribute => !definition.attributes.includes(attribute))
    .map(attribute => `${name} has ${attribute}, which is not declared`);
}

function definitionOf(name: string, kind: number) {
  return allSpans.find(span => kinds[span.kind] === kind && patternOf(span.name).test(name));
}

function patternOf(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/\{\w+\}/g, '\\S+')}$`);
}
