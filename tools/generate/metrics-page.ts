import { prometheusName } from '@hookline/shared/kernel';
import { allAttributes, allMetrics, allSpans } from './all-metrics.ts';
import { page, table } from './markdown.ts';

const code = (text: string): string => `\`${text}\``;

export function metricsPage(): string {
  return page(
    '# Metrics and spans',
    'A process answers `/metrics` for Prometheus on `METRICS_PORT`, without a key: the port is for inside. With ' +
      '`OTEL_EXPORTER_OTLP_ENDPOINT` it sends metrics and spans to a collector. With neither nothing is counted and ' +
      'no SDK is loaded. Every metric below has a name of the OpenTelemetry semantic conventions or begins with ' +
      '`hookline.`; attributes become labels, their dots underscores. A collector that writes to Prometheus gives the ' +
      'series the names of the scrape, so alerts and dashboards fit both; what counts `up` needs scrapes.',
    'Gauges are looked up when somebody asks, each for at most 2 s: one that cannot be looked up, because its ' +
      'database is away, is absent from that answer. Those that a database answers (outbox, lag, drift, overdue) are ' +
      'reported by every replica that does background work, with the same value: take the maximum, not the sum. ' +
      'Counters that are raised inside a transaction count it again when the transaction is rolled back and repeated.',
    '## Metrics',
    table(
      ['name', 'at Prometheus', 'kind', 'unit', 'meaning', 'attributes'],
      allMetrics.map(metric => {
        const { name, kind, unit, about, attributes } = metric;
        return [
          code(name),
          code(prometheusName(metric)),
          kind,
          code(unit),
          about,
          attributes.map(code).join(', '),
        ];
      }),
    ),
    'A histogram is `_bucket`, `_sum` and `_count` at Prometheus, its bounds in seconds: 0.005 to 10 as the ' +
      'conventions have them, then 30 and 120.',
    '## Spans',
    table(
      ['name', 'kind', 'meaning', 'attributes'],
      allSpans.map(({ name, kind, about, attributes }) => [
        code(name),
        kind,
        about,
        attributes.map(code).join(', '),
      ]),
    ),
    '## Attributes',
    table(
      ['name', 'meaning'],
      allAttributes.map(([name, about]) => [code(name), about]),
    ),
  );
}
