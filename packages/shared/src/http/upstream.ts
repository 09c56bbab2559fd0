/** Where a service answers: one or several base URLs, each a name with one or many addresses, balanced over all. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Pool } from 'undici';

export type Upstream = {
  /**
   * A pool of the next address, at once while the addresses are fresh. `avoid` names origins that just refused a
   * connection. @throws Error (or rejects) when no address is known.
   */
  pick(avoid: ReadonlySet<string>): Picked | Promise<Picked>;
  close(): Promise<void>;
};

type Picked = { origin: string; pool: Pool };

export type UpstreamOptions = {
  urls: readonly string[];
  /** Most sockets to one address. */
  connectionsMax?: number;
  headersTimeoutMs?: number;
};

const addressesFreshMs = 5_000;
/**
 * An idle socket is given up after this. Shorter than a server announces its stop, and far below the 65 s for which it keeps
 * an idle socket otherwise, so that no request is sent into one that is being closed.
 */
const idleSocketMs = 1_000;

export function createUpstream({
  urls,
  connectionsMax = 64,
  headersTimeoutMs = 30_000,
}: UpstreamOptions): Upstream {
  const pools = new Map<string, Pool>();
  let origins: string[] = [];
  let resolvedAtMs = Number.NEGATIVE_INFINITY;
  let resolving: Promise<void> | undefined;
  let turn = 0;

  async function resolve(): Promise<void> {
    const found = await Promise.all(urls.map(addressesOf));
    origins = found.flat();
    resolvedAtMs = performance.now();
    for (const [origin, pool] of pools) {
      if (origins.includes(origin)) continue;
      pools.delete(origin);
      pool.close().catch(() => {});
    }
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
      if (performance.now() - resolvedAtMs <= addressesFreshMs) return pickFresh(avoid);
      // One look for all who ask meanwhile.
      resolving ??= resolve().finally(() => {
        resolving = undefined;
      });
      return resolving.then(() => pickFresh(avoid));
    },
    async close() {
      await Promise.all([...pools.values()].map(pool => pool.close().catch(() => pool.destroy())));
    },
  };
}

async function addressesOf(url: string): Promise<string[]> {
  const { hostname, port, protocol, origin } = new URL(url);
  // TLS needs the name; a load balancer stands behind it then.
  if (protocol === 'https:' || isIP(hostname.replaceAll(/[[\]]/g, '')) || hostname === 'localhost')
    return [origin];
  const addresses = await lookup(hostname, { all: true });
  return addresses.map(({ address, family }) => {
    const host = family === 6 ? `[${address}]` : address;
    return `${protocol}//${host}${port ? `:${port}` : ''}`;
  });
}
