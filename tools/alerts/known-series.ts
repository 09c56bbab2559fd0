import { type MetricName, metricDefinitions, prometheusName } from '@hookline/shared/kernel';

// Made by Prometheus itself.
const prometheusOwn = ['up', 'ALERTS'];

/** Every series that a rule or a dashboard may ask for, recorded ones apart. */
export function knownSeries(): Set<string> {
  const ours = (Object.keys(metricDefinitions) as MetricName[]).flatMap(name => {
    const plain = prometheusName(name);
    const isHistogram = metricDefinitions[name].kind === 'histogram';
    return isHistogram ? ['_bucket', '_sum', '_count'].map(end => plain + end) : [plain];
  });
  return new Set([...ours, ...prometheusOwn]);
}
