import { MetricSource } from '@hookline/shared/contracts/analytics';
import { type RowOf, recordOf } from '@hookline/shared/contracts/rows';

export type SourceRow = RowOf<MetricSource>;

export function toSource(row: SourceRow) {
  return recordOf(MetricSource, row);
}
