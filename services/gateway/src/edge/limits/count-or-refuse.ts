import { rateLimited } from '@hookline/shared/contracts';
import { toRetryAfterSeconds } from './admission.ts';
import type { Windows } from './windows.ts';

type Counted = readonly { name: string; limit: number }[];

/** Counts a request in every window, or in none. @throws ApiError `rate_limited` when one of them is full */
export function countOrRefuse(windows: Windows, counted: Counted): void {
  refuseWhenFull(windows, counted);
  for (const { name, limit } of counted) windows.take(name, limit, performance.now());
}

/** Counts nothing. @throws ApiError `rate_limited` when one of the windows is full */
export function refuseWhenFull(windows: Windows, counted: Counted): void {
  const nowMs = performance.now();
  const waitMs = Math.max(...counted.map(({ name, limit }) => windows.waitMs(name, limit, nowMs)));
  if (waitMs > 0) throw rateLimited(toRetryAfterSeconds(waitMs));
}
