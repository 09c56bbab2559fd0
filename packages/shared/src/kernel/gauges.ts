/**
 * Values that are looked up when somebody asks. Not the observable gauges of the SDK: those go on telling the last value
 * of a series that is not observed any more (sdk-metrics 3.1), so that a database that is away would look well.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type HrTime, ValueType } from '@opentelemetry/api';
import type { DataPoint, GaugeMetricData, MetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import { type AttributesOf, type GaugeName, metricDefinitions } from './metric-names.ts';

export type GaugeReading<N extends GaugeName> = { value: number; attributes?: AttributesOf<N> };

type Look = () => Promise<readonly GaugeReading<GaugeName>[]>;

// A database that hangs must not cost Prometheus the whole answer, whose time-out is 10 s.
const readTimeoutMs = 2_000;

let looks: Map<GaugeName, Look[]> | undefined;

/**
 * A look that fails (a database away) or takes longer than 2 s leaves the value out of that answer and no more; none
 * begins while one is under way. Nothing is looked up while metrics are off.
 */
export function watchGauge<N extends GaugeName>(
  name: N,
  read: () => readonly GaugeReading<N>[] | Promise<readonly GaugeReading<N>[]>,
): void {
  if (!looks) return;
  let isReading = false;
  const look: Look = async () => {
    if (isReading) return [];
    isReading = true;
    const reading = Promise.resolve()
      .then(read)
      .catch((): readonly GaugeReading<N>[] => [])
      .finally(() => {
        isReading = false;
      });
    return await Promise.race([reading, delay(readTimeoutMs, [], { ref: false })]);
  };
  looks.set(name, [...(looks.get(name) ?? []), look]);
}

/** Lets gauges be watched. @returns where a reader of the SDK collects them. */
export async function openGauges(): Promise<MetricProducer> {
  const [{ AggregationTemporality, DataPointType }, { emptyResource }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/resources'),
  ]);
  const mine = new Map<GaugeName, Look[]>();
  looks = mine;
  const collectOne = async (name: GaugeName, all: readonly Look[]): Promise<MetricData[]> => {
    const readings = (await Promise.all(all.map(look => look()))).flat();
    if (readings.length === 0) return [];
    const { about: description, unit } = metricDefinitions[name];
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
      const collected = await Promise.all([...mine].map(([name, all]) => collectOne(name, all)));
      const scopeMetrics = [{ scope: { name: 'hookline' }, metrics: collected.flat() }];
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
    },
  };
}

export function closeGauges(): void {
  looks = undefined;
}

function toDataPoints(readings: readonly GaugeReading<GaugeName>[]): DataPoint<number>[] {
  const nowMs = Date.now();
  const now: HrTime = [Math.floor(nowMs / 1_000), (nowMs % 1_000) * 1e6];
  return readings.map(({ value, attributes = {} }) => ({
    startTime: now,
    endTime: now,
    attributes,
    value,
  }));
}
