import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createUpstream, type Upstream } from './upstream.ts';

const none: ReadonlySet<string> = new Set();
const away = Object.assign(new Error('getaddrinfo EAI_AGAIN content'), { code: 'EAI_AGAIN' });

let upstream: Upstream | undefined;
afterEach(async () => {
  await upstream?.close();
});

/** An upstream with a resolver and a clock that the test controls. */
function open(urls: readonly string[] = ['http://content:8080']) {
  const dns = {
    lookups: 0,
    addresses: new Map<string, readonly string[]>([['content', ['10.1.2.3', '10.1.2.4']]]),
    isAway: false,
    isSilent: false,
    nowMs: 0,
  };
  upstream = createUpstream({
    urls,
    monotonicMs: () => dns.nowMs,
    async lookUp(hostname) {
      dns.lookups += 1;
      if (dns.isSilent) await new Promise(() => {});
      const found = dns.addresses.get(hostname);
      if (dns.isAway || !found) throw away;
      return found.map(address => ({ address, family: 4 }));
    },
  });
  const made = upstream;
  /** All origins that picks return now, after a background lookup has had time to run. */
  const origins = async (): Promise<string[]> => {
    const picked = new Set<string>();
    for (let count = 0; count < 4; count += 1) picked.add((await made.pick(none)).origin);
    await delay(0);
    return [...picked].sort();
  };
  return { dns, origins, pick: async () => made.pick(none) };
}

const both = ['http://10.1.2.3:8080', 'http://10.1.2.4:8080'];

describe('addresses of a peer', () => {
  it('are looked up once in 5 s and balanced over', async () => {
    const { dns, origins } = open();
    expect(await origins()).toEqual(both);
    dns.nowMs = 5_000;
    expect(await origins()).toEqual(both);
    expect(dns.lookups).toBe(1);
    dns.nowMs = 5_001;
    dns.addresses.set('content', ['10.1.2.5']);
    expect(await origins()).toEqual(['http://10.1.2.5:8080']);
    expect(dns.lookups).toBe(2);
  });

  it('stay in use for 5 min while DNS fails, with one lookup a second at most, and are replaced when it is back', async () => {
    const { dns, origins, pick } = open();
    await origins();
    dns.isAway = true;
    for (dns.nowMs = 6_000; dns.nowMs < 300_000; dns.nowMs += 250) expect(await origins()).toEqual(both);
    expect(dns.lookups).toBeGreaterThan(200);
    expect(dns.lookups).toBeLessThan(300);
    dns.nowMs = 300_001;
    await expect(pick()).rejects.toThrow('EAI_AGAIN');
    dns.nowMs += 1_000;
    dns.isAway = false;
    dns.addresses.set('content', ['10.1.2.9']);
    expect(await origins()).toEqual(['http://10.1.2.9:8080']);
  });

  it('are replaced by the first lookup that succeeds', async () => {
    const { dns, origins } = open();
    await origins();
    dns.isAway = true;
    dns.nowMs = 10_000;
    await origins();
    dns.isAway = false;
    dns.addresses.set('content', ['10.1.2.9']);
    dns.nowMs = 11_001;
    await origins();
    expect(await origins()).toEqual(['http://10.1.2.9:8080']);
  });

  it('are used after 1 s when DNS says nothing, and at once from then on', async () => {
    const { dns, origins, pick } = open();
    await origins();
    dns.isSilent = true;
    dns.nowMs = 10_000;
    expect(both).toContain((await pick()).origin);
    dns.nowMs = 11_001;
    expect(await origins()).toEqual(both);
    // No second lookup starts while one hangs.
    expect(dns.lookups).toBe(2);
  });

  it('of one name that fails do not take those of another away', async () => {
    const { dns, origins } = open(['http://content:8080', 'http://more:8080']);
    dns.addresses.set('more', ['10.2.0.1']);
    expect(await origins()).toEqual([...both, 'http://10.2.0.1:8080']);
    dns.addresses.delete('more');
    dns.addresses.set('content', ['10.1.2.5']);
    dns.nowMs = 10_000;
    await origins();
    expect(await origins()).toEqual(['http://10.1.2.5:8080', 'http://10.2.0.1:8080']);
  });

  it('that were never found are an error, without a lookup for each call', async () => {
    const { dns, pick } = open();
    dns.isAway = true;
    for (let count = 0; count < 5; count += 1) await expect(pick()).rejects.toThrow('EAI_AGAIN');
    expect(dns.lookups).toBe(1);
  });
});
