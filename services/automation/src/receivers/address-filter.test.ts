/** No address that the filter must stop gets a packet: canaries listen where such addresses would lead. */
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type ResolvedAddress, resolvePublic } from '@hookline/shared/http/guarded-connect';
import { readTarget } from '@hookline/shared/http/target';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../test/receiver.ts';
import { edgesOf, specialBlocks, spellingsOf } from '../../test/special-addresses.ts';
import { createWebhookSender, type WebhookSender } from './sender.ts';

/** One port on every address of this machine: loopback of both families and every interface. */
let canaries: Server[];
let port: number;
let hits = 0;

const ownAddresses = Object.values(networkInterfaces())
  .flatMap(list => list ?? [])
  .filter(({ address }) => !address.startsWith('fe80'))
  .map(({ address }) => address);

function listen(address: string, at: number): Promise<Server> {
  const server = createServer(socket => {
    hits += 1;
    socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(at, address, () => resolve(server));
  });
}

beforeAll(async () => {
  const first = await listen('127.0.0.1', 0);
  port = (first.address() as { port: number }).port;
  const others = ownAddresses.filter(address => address !== '127.0.0.1');
  canaries = [first, ...(await Promise.all([...others, '127.0.0.2'].map(address => listen(address, port))))];
});
afterAll(() => Promise.all(canaries.map(canary => new Promise(resolve => canary.close(resolve)))));

const ports = ['', ':22', ':5432', ':6379', ':9092'];

/**
 * Literal hosts: the edges of each block, the classic targets in every spelling, this machine's own
 * addresses.
 */
const hosts = [
  ...specialBlocks.flatMap(edgesOf).map(address => (address.includes(':') ? `[${address}]` : address)),
  ...['127.0.0.1', '127.0.0.2', '169.254.169.254', '10.0.0.1', '192.168.1.1', '0.0.0.0'].flatMap(spellingsOf),
  ...ownAddresses.filter(address => !address.includes(':')).flatMap(spellingsOf),
  ...[
    'localhost',
    'LOCALHOST.',
    'ⓛocalhost',
    'a.localhost',
    'metadata.google.internal',
    'redis',
    '[::1%25lo]',
  ],
];

function addressOf(text: string): ResolvedAddress {
  return { address: text, family: text.includes(':') ? 6 : 4 };
}

/** A sender whose names resolve as the test says. */
function senderTo(answer: () => ResolvedAddress[]): WebhookSender {
  return createWebhookSender({ allowedTargets: new Set(), resolve: async () => answer(), timeoutMs: 2_000 });
}

describe('the address filter', () => {
  it('at least 250 spellings of internal addresses are refused when they are registered', () => {
    const refused = new Set<string>();
    for (const host of new Set(hosts)) {
      for (const suffix of [...ports, `:${port}`, ':0']) {
        const url = `https://${host}${suffix}/hook`;
        expect(() => readTarget('url', url, new Set()), url).toThrow(/^url must/);
      }
      refused.add(host);
    }
    expect(refused.size).toBeGreaterThanOrEqual(250);
  });

  it('no internal address gets a packet when it is dialed in any spelling', async () => {
    // Names in the list resolve to the canary, too.
    const sender = senderTo(() => [addressOf('127.0.0.1')]);
    const before = hits;
    for (const host of new Set(hosts)) {
      const result = await sender.send(`https://${host}:${port}/hook`, {}, '{}');
      expect(result, host).toMatchObject({
        responseStatus: null,
        error: expect.stringMatching(
          /^(the address is not public|the connection failed \(ERR_INVALID_URL\))$/,
        ),
      });
    }
    await sender.close();
    expect(hits).toBe(before);
  });

  it('a name with one special address among its answers is refused, at registration and when dialed', async () => {
    const outside = addressOf('93.184.215.14');
    for (const address of new Set(specialBlocks.flatMap(edgesOf))) {
      const answer = [outside, addressOf(address)];
      await expect(
        resolvePublic(async () => answer, 'mixed.example'),
        address,
      ).rejects.toThrow('not public');
      const sender = senderTo(() => answer);
      const result = await sender.send(`https://mixed.example:${port}/`, {}, '{}');
      expect(result.error, address).toBe('the address is not public');
      await sender.close();
    }
  });

  it('10,000 names that are public when registered and internal when dialed get no packet', async () => {
    const before = hits;
    const inside = [...ownAddresses, '127.0.0.2', '::ffff:127.0.0.1', '0.0.0.0', '::'].map(addressOf);
    let turn = 0;
    let asked = 0;
    let isDialling = false;
    const resolve = async (): Promise<ResolvedAddress[]> => {
      asked += 1;
      if (!isDialling) return [addressOf('93.184.215.14')];
      turn += 1;
      return [inside[turn % inside.length] as ResolvedAddress];
    };
    await expect(resolvePublic(resolve, 'rebound.example')).resolves.toHaveLength(1);
    isDialling = true;
    const sender = createWebhookSender({ allowedTargets: new Set(), resolve, timeoutMs: 5_000 });
    const attempts = 10_000;
    const errors = new Map<string, number>();
    for (let sent = 0; sent < attempts; sent += 100) {
      const results = await Promise.all(
        Array.from({ length: 100 }, () => sender.send(`https://rebound.example:${port}/`, {}, '{}')),
      );
      for (const { error } of results) errors.set(error ?? 'taken', (errors.get(error ?? 'taken') ?? 0) + 1);
    }
    await sender.close();
    expect([...errors]).toEqual([['the address is not public', attempts]]);
    // Each connection resolved the name again: the earlier public answer is not cached.
    expect(asked).toBeGreaterThan(attempts);
    expect(hits).toBe(before);
  });
});

describe('a redirect', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());

  it.each([301, 302, 303, 307, 308])('a redirect with %d is a failure and is not followed', async status => {
    const before = hits;
    const sender = createWebhookSender({ allowedTargets: new Set([receiver.target]), timeoutMs: 2_000 });
    receiver.answer(`/${status}`, { status, headers: { location: `http://127.0.0.1:${port}/inside` } });
    const result = await sender.send(receiver.url(`/${status}`), {}, '{}');
    await sender.close();
    expect(result).toMatchObject({
      responseStatus: status,
      error: `answered ${status}; redirects are not followed`,
    });
    expect(hits).toBe(before);
  });
});

describe('the canaries', () => {
  it('a target in WEBHOOK_ALLOW_TARGETS gets a connection, so the canaries notice one', async () => {
    const before = hits;
    const sender = createWebhookSender({
      allowedTargets: new Set([`127.0.0.1:${port}`]),
      timeoutMs: 2_000,
    });
    await sender.send(`http://127.0.0.1:${port}/`, {}, '{}');
    await sender.close();
    expect(hits).toBeGreaterThan(before);
  });
});
