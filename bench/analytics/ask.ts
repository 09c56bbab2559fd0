/** Summaries over HTTP, signed as the gateway signs them. */
import { bareCaller, createCallSigner } from '@hookline/shared/http';
import { loadSettings } from '@hookline/shared/kernel';
import { signingKeysFor } from '@hookline/testing/service-harness';
import type { LoadRequest } from '../harness/wrk.ts';
import type { Totals } from './naive.ts';

export const windows = [1, 7, 30, 90, 365] as const;

const { SERVICE_SIGNING_KEYS } = loadSettings(['SERVICE_SIGNING_KEYS'], {
  SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
});
const sign = createCallSigner(SERVICE_SIGNING_KEYS ?? []);

/** A request that the service accepts for the next 30 s. */
function summaryRequest(accountId: string, windowDays: number): LoadRequest {
  const caller = bareCaller({ accountId, keyId: 'key_bench', userId: null, scopes: ['analytics:read'] });
  const path = `/v1/analytics/summary?windowDays=${windowDays}`;
  const call = { audience: 'analytics', method: 'GET', path, requestId: 'req_bench', caller } as const;
  return { method: 'GET', path, headers: sign({ sender: 'gateway', ...call }) };
}

/** One request per window. */
export function summaryRequests(accountId: string): LoadRequest[] {
  return windows.map(windowDays => summaryRequest(accountId, windowDays));
}

/** @throws Error for any status but 200 */
export async function readSummary(url: string, accountId: string, windowDays: number): Promise<Totals> {
  const { path, headers } = summaryRequest(accountId, windowDays);
  const answer = await fetch(url + path, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the summary answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: { totals: Totals } }).data.totals;
}
