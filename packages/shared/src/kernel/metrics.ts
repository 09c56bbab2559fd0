/**
 * What a process counts, by the OpenTelemetry API and with the names of its semantic conventions. Nothing is counted
 * unless a port or a collector is configured: the API is then a no-op and no SDK is loaded.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { metrics, ValueType } from '@opentelemetry/api';
import type { MetricProducer } from '@opentelemetry/sdk-metrics';
import { ConfigurationError, inheritedEnvironment } from './config.ts';
import { closeGauges, openGauges, watchGauge } from './gauges.ts';
import type { Logger } from './logger.ts';
import {
  type AttributesOf,
  type CounterName,
  type HistogramName,
  type MetricName,
  metricDefinitions,
} from './metric-names.ts';

export type Metrics = { stop(): Promise<void> };

export type MetricsOptions = {
  service: string;
  /** Serves `/metrics` for Prometheus there. An internal port: it asks for no key. */
  port?: number | undefined;
  host: string;
  /** Sends them over OTLP too, every 60 s (`OTEL_METRIC_EXPORT_INTERVAL`). */
  otlpEndpoint?: string | undefined;
  log: Logger;
};

/** Upper bounds in seconds: those of the conventions for HTTP, and longer ones for jobs. */
const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

let isOn = false;

/** Starts the exporters. Call it before anything that counts is made. @throws ConfigurationError when the port is taken. */
export async function startMetrics(options: MetricsOptions): Promise<Metrics> {
  const { service, port, host, otlpEndpoint, log } = options;
  if (port === undefined && otlpEndpoint === undefined) return { stop: async () => {} };
  const [{ MeterProvider, PeriodicExportingMetricReader }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const metricProducers = [await openGauges()];
  const readers = [];
  if (port !== undefined) readers.push(await openPrometheus(port, host, metricProducers));
  if (otlpEndpoint !== undefined) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    const exportIntervalMillis = Number(inheritedEnvironment().OTEL_METRIC_EXPORT_INTERVAL ?? 60_000);
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis,
        metricProducers,
      }),
    );
  }
  const resource = resourceFromAttributes({ 'service.name': `hookline-${service}` });
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
  await exporter.startServer().catch((error: Error) => {
    closeGauges();
    throw new ConfigurationError(`METRICS_PORT ${port} cannot be listened on: ${error.message}.`);
  });
  return exporter;
}

/** True when metrics are exported. Costly counts are skipped otherwise. */
export function areMetricsOn(): boolean {
  return isOn;
}

/** Records durations in seconds, given in milliseconds. */
export type DurationMetric<N extends HistogramName> = (
  durationMs: number,
  attributes: AttributesOf<N>,
) => void;

/** May be made when a module loads: it is nothing until metrics are on. */
export function createDurationMetric<N extends HistogramName>(name: N): DurationMetric<N> {
  const advice = { explicitBucketBoundaries: durationBounds };
  const histogram = whileOn(() =>
    metrics.getMeter('hookline').createHistogram(name, { ...describe(name), advice }),
  );
  return (durationMs, attributes) => histogram()?.record(durationMs / 1000, attributes);
}

/** Counts events; 0 makes the series known before its first event, so that the first is an increase. */
export type CountMetric<N extends CounterName> = (attributes: AttributesOf<N>, count?: number) => void;

/** May be made when a module loads: it is nothing until metrics are on. */
export function createCountMetric<N extends CounterName>(name: N): CountMetric<N> {
  const options = { ...describe(name), valueType: ValueType.INT };
  const counter = whileOn(() => metrics.getMeter('hookline').createCounter(name, options));
  return (attributes, count = 1) => counter()?.add(count, attributes);
}

/** Created at its first use while metrics are on, and again after they were stopped and started. */
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
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  watchGauge('nodejs.eventloop.delay.p99', () => {
    const value = delays.percentile(99) / 1e9;
    delays.reset();
    return [{ value }];
  });
  watchGauge('process.memory.usage', () => [{ value: process.memoryUsage.rss() }]);
}

function describe(name: MetricName): { description: string; unit: string } {
  const { about, unit } = metricDefinitions[name];
  return { description: about, unit };
}
