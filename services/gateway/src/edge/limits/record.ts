import type { UsageRow } from '@hookline/shared/contracts/usage';

/** @param resetsInMs null: it does not fall without another request */
export function toUsageRow(
  name: string,
  limit: number,
  { used, resetsInMs }: { used: number; resetsInMs: number | null },
  now: Date,
): UsageRow {
  const resetsAt = resetsInMs === null ? null : new Date(now.getTime() + resetsInMs).toISOString();
  return { name, limit, used, resetsAt };
}
