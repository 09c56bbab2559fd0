/** What one workspace does at the cost of the others. Each attack goes on until it is stopped. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Api } from '../../kit/clients/api.ts';
import { effects } from './judge-attack.ts';

export type Attack = {
  /** Requests, or connections, by their outcome. */
  outcomes: ReadonlyMap<string, number>;
  stop(): Promise<void>;
};

export type Attacker = { api: Api; keys: readonly string[]; appId: string };

/** A server that accepts connections and never answers. */
export async function startTarpit(): Promise<{ url: string; target: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${target}/hooks`,
    target,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

export type SilentNameServer = {
  address: string;
  /** True once somebody has asked for the name. */
  wasAsked(host: string): boolean;
  close(): void;
};

/** A name server that gets questions and never answers. */
export async function startSilentNameServer(): Promise<SilentNameServer> {
  const asked = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', question => asked.add(nameIn(question)));
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    wasAsked: host => asked.has(host),
    close: () => socket.close(),
  };
}

/**
 * The name of the first question: after the header, labels with their lengths up to an empty one (RFC 1035,
 * 4.1.2).
 */
function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.').toLowerCase();
}

/** Keeps this many requests going, one after the other in each lane. */
function repeat(lanes: number, request: (lane: number) => Promise<string>): Attack {
  const outcomes = new Map<string, number>();
  let isStopped = false;
  const run = async (lane: number): Promise<void> => {
    while (!isStopped) {
      const outcome = await request(lane).catch(error => (error as Error).name);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      // Unpaced, refusals would measure the attacker's own process.
      if (!/^2/.test(outcome)) await wait(500);
    }
  };
  const all = Array.from({ length: lanes }, (_, lane) => run(lane));
  return {
    outcomes,
    async stop() {
      isStopped = true;
      await Promise.all(all);
    },
  };
}

/** 200 tests of a webhook whose receiver never answers. */
export function testWebhooks({ api, keys }: Attacker, webhookId: string): Attack {
  return repeat(200, async lane => {
    const token = keys[lane % keys.length];
    return String((await api('POST', `/webhooks/${webhookId}/test`, { token, body: {} })).status);
  });
}

/** 200 moves of a webhook to hosts whose name servers never answer. */
export function moveWebhooks(
  { api, keys }: Attacker,
  webhookId: string,
  names: Pick<SilentNameServer, 'wasAsked'>,
): Attack {
  return repeat(200, async lane => {
    const token = keys[lane % keys.length];
    const host = `${randomBytes(4).toString('hex')}.example.com`;
    const url = `https://${host}/hooks`;
    const moved = await api<{ url: string }>('PATCH', `/webhooks/${webhookId}`, { token, body: { url } });
    const hasMoved = moved.status === 200 && moved.data.url === url && names.wasAsked(host);
    return hasMoved ? effects['moved webhooks'] : String(moved.status);
  });
}

/** Edits of 14 decks in a loop, which cost nothing. */
export function editDecks({ api, keys }: Attacker, decks: readonly string[]): Attack {
  const bodySlides = Array.from({ length: 33 }, (_, slide) => ({ text: `Slide ${slide} of a long deck.` }));
  return repeat(decks.length, async lane => {
    const token = keys[lane % keys.length];
    const body = { hook: `Hook ${randomBytes(4).toString('hex')}`, bodySlides };
    return String((await api('PATCH', `/content/${decks[lane]}`, { token, body })).status);
  });
}

/** Fourteen decks of ten slides at a time, as many as the windows of the keys let pass (D-88). */
export function makeDecks({ api, keys, appId }: Attacker): Attack {
  return repeat(14, async lane => {
    const token = keys[lane % keys.length];
    return String((await makeDeck({ api, token, appId }, 10)).status);
  });
}

export function makeDeck(
  { api, token, appId }: { api: Api; token: string | undefined; appId: string },
  slideCount: number,
) {
  return api<{ id: string; status: string }>('POST', '/content', {
    token,
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card', slideCount } },
  });
}

/** 900 connections from nine addresses, each with a body that never ends. */
export async function holdBodies(gatewayUrl: string): Promise<Attack> {
  const { hostname, port } = new URL(gatewayUrl);
  const outcomes = new Map<string, number>([['closed', 0]]);
  const part = Buffer.alloc(255 * 1_024, ' ');
  const head =
    `POST /platform/tiktok/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${256 * 1_024}\r\n\r\n`;
  const sockets = Array.from({ length: 900 }, (_, at) => {
    const socket = connect({
      port: Number(port),
      host: '127.0.0.1',
      localAddress: `127.0.0.${2 + (at % 9)}`,
    });
    socket
      .on('error', () => {})
      .once('close', () => outcomes.set('closed', (outcomes.get('closed') ?? 0) + 1))
      .on('data', () => {});
    socket.write(head);
    socket.write(part);
    return socket;
  });
  await wait(1_000);
  return {
    outcomes,
    async stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
