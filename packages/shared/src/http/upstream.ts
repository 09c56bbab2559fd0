/**
 * The addresses of a service: one or several base URLs, each a name with one or many addresses, balanced over
 * all.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Pool } from 'undici';
import { within } from '../kernel/index.ts';

export type Upstream = {
  /**
   * A pool of the next address, synchronously while the addresses are fresh. Older ones are looked up first,
   * for at most 1 s; while that fails the known ones are used, for 5 min. `avoid` lists origins that just
   * refused a connection.
   * @throws Error (or rejects, after 5 s at most) when no address is known
   */
  pick(avoid: ReadonlySet<string>): Picked | Promise<Picked>;
  /** Addresses known now, at least 1. */
  addressCount(): number;
  close(): Promise<void>;
};

type Picked = { origin: string; pool: Pool };

export type UpstreamOptions = {
  urls: readonly string[];
  /** Most sockets to one address. */
  connectionsMax?: number;
  headersTimeoutMs?: number;
  /** All addresses of a host name. For tests. */
  lookUp?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** A monotonic clock. For tests. */
  monotonicMs?: () => number;
};

const addressesFreshMs = 5_000;
/** Addresses that DNS no longer confirms are used for this long: most pods outlive an outage of CoreDNS. */
const addressesKeptMs = 300_000;
/** After a failed lookup the next one begins this much later at the earliest. */
const resolveAgainAfterMs = 1_000;
/** Longest wait for a lookup when addresses are known, or while lookups fail. */
const patienceMs = 1_000;
/** Longest wait when no address is known. The resolver of glibc takes 10 s or more to give up. */
const firstAnswerWithinMs = 5_000;
/**
 * An idle socket is closed after this. Shorter than the notice a server gives before it stops, and far below
 * the 65 s for which it keeps an idle socket otherwise, so that no request is sent into a closing one.
 */
const idleSocketMs = 1_000;

export function createUpstream({
  urls,
  connectionsMax = 64,
  headersTimeoutMs = 30_000,
  lookUp = hostname => lookup(hostname, { all: true }),
  monotonicMs = () => performance.now(),
}: UpstreamOptions): Upstream {
  const pools = new Map<string, Pool>();
  const known = new Map<string, { origins: readonly string[]; foundAtMs: number }>();
  let origins: string[] = [];
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  /** The lookup in progress; rejects when a name could not be resolved. */
  let running: { done: Promise<void>; beganMs: number } | undefined;
  let failure: { error: unknown; atMs: number } | undefined;
  let turn = 0;

  /** Resolves all names; one that fails keeps its previous addresses. */
  async function resolve(): Promise<void> {
    const results = await Promise.allSettled(urls.map(url => addressesOf(url, lookUp)));
    const nowMs = monotonicMs();
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled')
        known.set(urls[index] ?? '', { origins: result.value, foundAtMs: nowMs });
    }
    const failed = results.find(result => result.status === 'rejected');
    failure = failed && { error: failed.reason, atMs: nowMs };
    if (!failed) freshUntilMs = nowMs + addressesFreshMs;
    keep(nowMs);
    if (failed) throw failed.reason;
  }

  /** Drops expired lookups and closes the pools of addresses that no longer exist. */
  function keep(nowMs: number): void {
    for (const [url, { foundAtMs }] of known) if (nowMs - foundAtMs > addressesKeptMs) known.delete(url);
    origins = [...known.values()].flatMap(entry => entry.origins);
    for (const [origin, pool] of pools) {
      if (origins.includes(origin)) continue;
      pools.delete(origin);
      pool.close().catch(() => {});
    }
  }

  /** Shares one lookup among all callers, and starts none too soon after one that failed. */
  function startLookup(nowMs: number): void {
    if (running || (failure && nowMs - failure.atMs < resolveAgainAfterMs)) return;
    const done = resolve().finally(() => {
      running = undefined;
    });
    // There may be no waiter left.
    done.catch(() => {});
    running = { done, beganMs: nowMs };
  }

  async function pickAfterLookup(avoid: ReadonlySet<string>, waitMs: number): Promise<Picked> {
    try {
      await within(waitMs, running?.done ?? Promise.resolve(), 'DNS gave no answer');
    } catch (error) {
      if (origins.length === 0) throw error;
    }
    return pickFresh(avoid);
  }

  function poolOf(origin: string): Pool {
    const known = pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, {
      connections: connectionsMax,
      pipelining: 1,
      keepAliveTimeout: idleSocketMs,
      // Without it the other side's `Keep-Alive: timeout=65` would count.
      keepAliveMaxTimeout: idleSocketMs,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: 30_000,
      connect: { timeout: 2_000 },
    });
    pools.set(origin, pool);
    return pool;
  }

  function pickFresh(avoid: ReadonlySet<string>): Picked {
    const candidates = avoid.size === 0 ? origins : origins.filter(origin => !avoid.has(origin));
    const list = candidates.length > 0 ? candidates : origins;
    turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
    const origin = list[turn % list.length];
    if (!origin) throw Object.assign(new Error('no address is known'), { code: 'ENOTFOUND' });
    return { origin, pool: poolOf(origin) };
  }

  return {
    pick(avoid) {
      const nowMs = monotonicMs();
      if (nowMs <= freshUntilMs) return pickFresh(avoid);
      startLookup(nowMs);
      keep(nowMs);
      if (origins.length === 0) {
        if (!running) throw failure?.error;
        return pickAfterLookup(avoid, firstAnswerWithinMs);
      }
      const leftMs = running && !failure ? running.beganMs + patienceMs - nowMs : 0;
      return leftMs > 0 ? pickAfterLookup(avoid, leftMs) : pickFresh(avoid);
    },
    addressCount: () => Math.max(1, origins.length),
    async close() {
      await Promise.all([...pools.values()].map(pool => pool.close().catch(() => pool.destroy())));
    },
  };
}

async function addressesOf(url: string, lookUp: NonNullable<UpstreamOptions['lookUp']>): Promise<string[]> {
  const { hostname, port, protocol, origin } = new URL(url);
  // TLS needs the name; it points to a load balancer.
  if (protocol === 'https:' || isIP(hostname.replaceAll(/[[\]]/g, '')) || hostname === 'localhost')
    return [origin];
  const addresses = await lookUp(hostname);
  return addresses.map(({ address, family }) => {
    const host = family === 6 ? `[${address}]` : address;
    return `${protocol}//${host}${port ? `:${port}` : ''}`;
  });
}
