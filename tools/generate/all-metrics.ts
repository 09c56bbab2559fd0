/**
 * Every metric and span of the product: those that services share, and what each service declares in its
 * `metrics.ts`.
 */
import { analyticsMetrics } from '@hookline/analytics/metrics';
import { automationMetrics } from '@hookline/automation/metrics';
import { contentMetrics } from '@hookline/content/metrics';
import { gatewayMetrics } from '@hookline/gateway/metrics';
import { schedulingMetrics } from '@hookline/scheduling/metrics';
import {
  type MetricDeclarations,
  type MetricDefinition,
  prometheusName,
  type SpanDefinition,
  sharedMetrics,
} from '@hookline/shared/kernel';

const declarations: readonly MetricDeclarations[] = [
  sharedMetrics,
  gatewayMetrics,
  contentMetrics,
  schedulingMetrics,
  automationMetrics,
  analyticsMetrics,
];

export const allMetrics: readonly MetricDefinition[] = declarations.flatMap(({ metrics }) =>
  Object.values(metrics),
);

export const allSpans: readonly SpanDefinition[] = declarations.flatMap(({ spans }) => Object.values(spans));

/** Name and meaning of each attribute that metrics and spans carry. */
export const allAttributes: readonly (readonly [name: string, about: string])[] = declarations.flatMap(
  ({ attributes }) => Object.entries(attributes),
);

/** The names under which Prometheus stores the series of a metric. */
export function prometheusSeries(metric: MetricDefinition): string[] {
  const plain = prometheusName(metric);
  return metric.kind === 'histogram' ? ['_bucket', '_sum', '_count'].map(end => plain + end) : [plain];
}
