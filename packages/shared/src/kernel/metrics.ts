/**
 * Metrics of a process, recorded through the OpenTelemetry API. Without a port and a collector the API is a
 * no-op and no SDK is loaded.
 */
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics, ValueType } from '@opentelemetry/api';
import type { CollectionResult, MetricProducer } from '@opentelemetry/sdk-metrics';
import { ConfigurationError, loadSettings } from './config.ts';
import { explainHost } from './connect-failure.ts';
import { closeGauges, openGauges, watchGauge } from './gauges.ts';
import type { Logger } from './logger.ts';
import { type AttributesOf, type MetricDefinition, nameWithUnit } from './metric-definitions.ts';
import { count } from './setting-forms.ts';
import { sharedMetrics } from './shared-metrics.ts';

export type Metrics = { stop(): Promise<void> };

export type MetricsOptions = {
  service: string;
  /** Serves `/metrics` for Prometheus on this port. An internal port without authentication. */
  port?: number | undefined;
  host: string;
  /** Sends them over OTLP too, every 60 s (`OTEL_METRIC_EXPORT_INTERVAL`). */
  otlpEndpoint?: string | undefined;
  log: Logger;
};

/** Upper bounds in seconds: those of the conventions for HTTP, and longer ones for jobs. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

const otlpSettings = {
  OTEL_METRIC_EXPORT_INTERVAL: {
    schema: count(1, 86_400_000),
    default: '60000',
    about: 'Milliseconds between two exports.',
  },
};

let isOn = false;

/**
 * Starts the exporters. Call it before any metric is created. @throws ConfigurationError when the port is
 * taken
 */
export async function startMetrics(options: MetricsOptions): Promise<Metrics> {
  const { service, port, host, otlpEndpoint, log } = options;
  if (port === undefined && otlpEndpoint === undefined) return { stop: async () => {} };
  const { OTEL_METRIC_EXPORT_INTERVAL } = loadSettings(otlpSettings);
  const [{ MeterProvider, PeriodicExportingMetricReader }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const metricProducers = [await openGauges()];
  const readers = [];
  if (port !== undefined) readers.push(await openPrometheus(port, host, metricProducers));
  if (otlpEndpoint !== undefined) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: OTEL_METRIC_EXPORT_INTERVAL,
        metricProducers,
      }),
    );
  }
  // The labels `job` and `instance` of what receives OTLP for Prometheus.
  const resource = resourceFromAttributes({
    'service.name': `hookline-${service}`,
    'service.instance.id': `${hostname()}:${process.pid}`,
  });
  const provider = new MeterProvider({ resource, readers });
  metrics.setGlobalMeterProvider(provider);
  isOn = true;
  watchProcess();
  log.info({ port, otlp: otlpEndpoint !== undefined }, 'metrics are on');
  return {
    async stop() {
      isOn = false;
      closeGauges();
      metrics.disable();
      await provider.shutdown();
    },
  };
}

async function openPrometheus(port: number, host: string, metricProducers: MetricProducer[]) {
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const exporter = new PrometheusExporter({ port, host, metricProducers, preventServerStart: true });
  const collect = exporter.collect.bind(exporter);
  exporter.collect = async options => withUnits(await collect(options));
  await exporter.startServer().catch((error: NodeJS.ErrnoException) => {
    closeGauges();
    throw new ConfigurationError(
      explainHost(error.code, host, 'METRICS_HOST, or HOST without it,') ??
        `METRICS_PORT ${port} cannot be listened on: ${error.message}.`,
    );
  });
  return exporter;
}

// The exporter leaves units out of names. Other readers share the descriptors, so they are copied.
function withUnits({ resourceMetrics, errors }: CollectionResult): CollectionResult {
  const scopeMetrics = resourceMetrics.scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map(metric => {
      const { name, unit } = metric.descriptor;
      return { ...metric, descriptor: { ...metric.descriptor, name: nameWithUnit(name, unit) } };
    }),
  }));
  return { resourceMetrics: { ...resourceMetrics, scopeMetrics }, errors };
}

/** True when metrics are exported. Expensive counts are skipped otherwise. */
export function areMetricsOn(): boolean {
  return isOn;
}

type HistogramDefinition = MetricDefinition & { kind: 'histogram' };
type CounterDefinition = MetricDefinition & { kind: 'counter' };

/** Records durations in seconds, given in milliseconds. */
export type DurationMetric<D extends HistogramDefinition> = (
  durationMs: number,
  attributes: AttributesOf<D>,
) => void;

/** May be created when a module loads; it does nothing until metrics are on. */
export function createDurationMetric<const D extends HistogramDefinition>(definition: D): DurationMetric<D> {
  const { name, about: description, unit } = definition;
  const advice = { explicitBucketBoundaries: durationBounds };
  const histogram = whileOn(() =>
    metrics.getMeter('hookline').createHistogram(name, { description, unit, advice }),
  );
  return (durationMs, attributes) => histogram()?.record(durationMs / 1000, attributes);
}

/** Counts events; 0 makes the series known before its first event, so that the first is an increase. */
export type CountMetric<D extends CounterDefinition> = (attributes: AttributesOf<D>, count?: number) => void;

/** May be created when a module loads; it does nothing until metrics are on. */
export function createCountMetric<const D extends CounterDefinition>(definition: D): CountMetric<D> {
  const { name, about: description, unit } = definition;
  const options = { description, unit, valueType: ValueType.INT };
  const counter = whileOn(() => metrics.getMeter('hookline').createCounter(name, options));
  return (attributes, count = 1) => counter()?.add(count, attributes);
}

/** Creates the instrument at its first use while metrics are on, and again after a restart of metrics. */
function whileOn<T>(make: () => T): () => T | undefined {
  let made: { by: unknown; instrument: T } | undefined;
  return () => {
    if (!isOn) return undefined;
    const by = metrics.getMeterProvider();
    if (made?.by !== by) made = { by, instrument: make() };
    return made.instrument;
  };
}

/** Memory of the process and delay of its event loop. */
function watchProcess(): void {
  // 50 ms: at 20 ms its wake-ups were a tenth of what an idle process takes of a core.
  const resolution = 50;
  const delays = monitorEventLoopDelay({ resolution });
  delays.enable();
  watchGauge(sharedMetrics.metrics.eventLoopDelay, () => {
    // A sample is the whole time between two readings.
    const value = Math.max(0, delays.percentile(99) / 1e9 - resolution / 1_000);
    delays.reset();
    return [{ value }];
  });
  watchGauge(sharedMetrics.metrics.memory, () => [{ value: process.memoryUsage.rss() }]);
}
