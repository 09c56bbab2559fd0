/**
 * What a process counts, by the OpenTelemetry API and with the names of its semantic conventions. Nothing is counted
 * unless a port or a collector is configured: the API is then a no-op and no SDK is loaded.
 */
import { type Attributes, metrics, ValueType } from '@opentelemetry/api';
import { ConfigurationError, inheritedEnvironment } from './config.ts';
import type { Logger } from './logger.ts';

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
  const readers = [];
  if (port !== undefined) readers.push(await openPrometheus(port, host));
  if (otlpEndpoint !== undefined) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
    const exportIntervalMillis = Number(inheritedEnvironment().OTEL_METRIC_EXPORT_INTERVAL ?? 60_000);
    readers.push(
      new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis }),
    );
  }
  const resource = resourceFromAttributes({ 'service.name': `hookline-${service}` });
  const provider = new MeterProvider({ resource, readers });
  metrics.setGlobalMeterProvider(provider);
  isOn = true;
  log.info({ port, otlp: otlpEndpoint !== undefined }, 'metrics are on');
  return {
    async stop() {
      isOn = false;
      metrics.disable();
      await provider.shutdown();
    },
  };
}

async function openPrometheus(port: number, host: string) {
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const exporter = new PrometheusExporter({ port, host, preventServerStart: true });
  await exporter.startServer().catch((error: Error) => {
    throw new ConfigurationError(`METRICS_PORT ${port} cannot be listened on: ${error.message}.`);
  });
  return exporter;
}

/** Whether anybody reads: what is costly to count is left out otherwise. */
export function areMetricsOn(): boolean {
  return isOn;
}

/** Records durations in seconds, given in milliseconds. */
export type DurationMetric = (durationMs: number, attributes: Attributes) => void;

/** @param name dotted, without the unit. */
export function createDurationMetric(name: string, description: string): DurationMetric {
  const advice = { explicitBucketBoundaries: durationBounds };
  const histogram = metrics.getMeter('hookline').createHistogram(name, { description, unit: 's', advice });
  return (durationMs, attributes) => histogram.record(durationMs / 1000, attributes);
}

/** Counts events. */
export type CountMetric = (attributes?: Attributes) => void;

export function createCountMetric(name: string, description: string, unit: string): CountMetric {
  const options = { description, unit, valueType: ValueType.INT };
  const counter = metrics.getMeter('hookline').createCounter(name, options);
  return attributes => counter.add(1, attributes);
}

export type GaugeReading = { value: number; attributes?: Attributes };

/**
 * A value that is looked up when somebody asks. A look that fails (a database away) leaves the value out of that
 * answer and no more.
 */
export function watchGauge(
  { name, description, unit }: { name: string; description: string; unit: string },
  read: () => readonly GaugeReading[] | Promise<readonly GaugeReading[]>,
): void {
  if (!isOn) return;
  const gauge = metrics.getMeter('hookline').createObservableGauge(name, { description, unit });
  gauge.addCallback(async result => {
    const readings = await Promise.resolve()
      .then(read)
      .catch(() => []);
    for (const { value, attributes } of readings) result.observe(value, attributes);
  });
}
