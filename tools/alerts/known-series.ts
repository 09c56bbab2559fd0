import { allMetrics, prometheusSeries } from '../generate/all-metrics.ts';

// Series that Prometheus makes.
const prometheusOwn = ['up', 'ALERTS'];

/** Every series that a rule or a dashboard may query, except recorded ones. */
export function knownSeries(): Set<string> {
  return new Set([...allMetrics.flatMap(prometheusSeries), ...prometheusOwn]);
}
