/**
 * Gauges whose values are read at each scrape. The observable gauges of the SDK (sdk-metrics 3.1) keep
 * reporting the last value of a series that is no longer observed, so that an unreachable database would look
 * healthy.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type HrTime, ValueType } from '@opentelemetry/api';
import type { DataPoint, GaugeMetricData, MetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import type { AttributesOf, MetricDefinition } from './metric-definitions.ts';

type GaugeDefinition = MetricDefinition & { kind: 'gauge' };

export type GaugeReading<D extends GaugeDefinition> = { value: number; attributes?: AttributesOf<D> };

type Read = () => Promise<readonly GaugeReading<GaugeDefinition>[]>;
type Watched = { definition: GaugeDefinition; reads: Read[] };

// A hanging database must not cost Prometheus the whole scrape, whose time-out is 10 s.
const readTimeoutMs = 2_000;

/** By name of the metric; undefined while metrics are off. */
let watched: Map<string, Watched> | undefined;

/**
 * Reads the gauge at each scrape. A read that fails (a database away) or takes longer than 2 s leaves the
 * values out of that scrape. No read starts while the one before it runs. Does nothing while metrics are off.
 */
export function watchGauge<const D extends GaugeDefinition>(
  definition: D,
  read: () => readonly GaugeReading<D>[] | Promise<readonly GaugeReading<D>[]>,
): void {
  if (!watched) return;
  let isReading = false;
  const readOnce: Read = async () => {
    if (isReading) return [];
    isReading = true;
    const reading = Promise.resolve()
      .then(read)
      .catch((): readonly GaugeReading<D>[] => [])
      .finally(() => {
        isReading = false;
      });
    return await Promise.race([reading, delay(readTimeoutMs, [], { ref: false })]);
  };
  const { name } = definition;
  watched.set(name, { definition, reads: [...(watched.get(name)?.reads ?? []), readOnce] });
}

/** Lets gauges be watched. @returns the source from which a reader of the SDK collects them. */
export async function openGauges(): Promise<MetricProducer> {
  const [{ AggregationTemporality, DataPointType }, { emptyResource }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const mine = new Map<string, Watched>();
  watched = mine;
  const collectOne = async ({ definition, reads }: Watched): Promise<MetricData[]> => {
    const readings = (await Promise.all(reads.map(read => read()))).flat();
    if (readings.length === 0) return [];
    const { name, about: description, unit } = definition;
    const descriptor = { name, description, unit, valueType: ValueType.DOUBLE };
    const metric: GaugeMetricData = {
      descriptor,
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.GAUGE,
      dataPoints: toDataPoints(readings),
    };
    return [metric];
  };
  return {
    async collect() {
      const collected = await Promise.all([...mine.values()].map(collectOne));
      const scopeMetrics = [{ scope: { name: 'hookline' }, metrics: collected.flat() }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

export function closeGauges(): void {
  watched = undefined;
}

function toDataPoints(readings: readonly GaugeReading<GaugeDefinition>[]): DataPoint<number>[] {
  const nowMs = Date.now();
  const now: HrTime = [Math.floor(nowMs / 1_000), (nowMs % 1_000) * 1e6];
  return readings.map(({ value, attributes = {} }) => ({
    startTime: now,
    endTime: now,
    attributes,
    value,
  }));
}
