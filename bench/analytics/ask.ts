/** Summaries over HTTP, signed as the gateway signs them. */
import { type Caller, callerHeader, createCallSigner } from '@hookline/shared/caller';
import { loadSettings } from '@hookline/shared/config';
import { signingKeysFor } from '@hookline/shared/testing/service-harness';
import { Pool } from 'undici';
import { percentileOf } from '../harness/figures.ts';
import type { Totals } from './naive.ts';

export const windows = [1, 7, 30, 90, 365] as const;

export type Asker = {
  /** The totals of one window. @throws Error for anything but 200. */
  summary(accountId: string, windowDays: number): Promise<Totals>;
  /** Closed loop over all windows in turn. @returns ms. */
  load(accountId: string, requests: number): Promise<{ p50Ms: number; p99Ms: number; perSecond: number }>;
  close(): Promise<void>;
};

export function createAsker(url: string, connections: number): Asker {
  const pool = new Pool(url, { connections });
  const { SERVICE_SIGNING_KEYS } = loadSettings(['SERVICE_SIGNING_KEYS'], {
    SERVICE_SIGNING_KEYS: signingKeysFor('gateway'),
  });
  const sign = createCallSigner(SERVICE_SIGNING_KEYS ?? []);

  async function ask(accountId: string, windowDays: number): Promise<{ text: string; ms: number }> {
    const caller: Caller = { accountId, keyId: 'key_bench', userId: null, scopes: ['analytics:read'] };
    const path = `/v1/analytics/summary?windowDays=${windowDays}`;
    const requestId = 'req_bench';
    const header = sign({ sender: 'gateway', audience: 'analytics', method: 'GET', path, requestId, caller });
    const beganAt = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers: { [callerHeader]: header } });
    const text = await answer.body.text();
    const ms = performance.now() - beganAt;
    if (answer.statusCode !== 200) throw new Error(`the summary answered ${answer.statusCode}: ${text}`);
    return { text, ms };
  }

  return {
    async summary(accountId, windowDays) {
      const { text } = await ask(accountId, windowDays);
      return (JSON.parse(text) as { data: { totals: Totals } }).data.totals;
    },
    async load(accountId, requests) {
      const times: number[] = [];
      const beganAt = performance.now();
      const loop = async (): Promise<void> => {
        while (times.length < requests) {
          const { ms } = await ask(accountId, windows[times.length % windows.length] as number);
          times.push(ms);
        }
      };
      await Promise.all(Array.from({ length: connections }, loop));
      const seconds = (performance.now() - beganAt) / 1_000;
      times.sort((one, other) => one - other);
      const [p50Ms, p99Ms] = [percentileOf(times, 0.5), percentileOf(times, 0.99)];
      return { p50Ms, p99Ms, perSecond: times.length / seconds };
    },
    close: () => pool.close(),
  };
}
