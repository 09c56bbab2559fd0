import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResolvedAddress } from '@hookline/shared/http/guarded-connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebhookSender } from './sender.ts';

/** Represents the internal network: no connection may reach it unless it is exempt. */
let canary: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('ok'));
  canary.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve));
  port = (canary.address() as AddressInfo).port;
});
afterAll(() => new Promise(resolve => canary.close(resolve)));

const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };
const outside: ResolvedAddress = { address: '93.184.215.14', family: 4 };

async function sendTo(url: string, answers: ResolvedAddress[][], allowed: string[] = []) {
  let asked = 0;
  const sender = createWebhookSender({
    allowedTargets: new Set(allowed),
    resolve: async () => answers[Math.min(asked++, answers.length - 1)] ?? [],
    timeoutMs: 2_000,
  });
  try {
    return { ...(await sender.send(url, {}, '{}')), asked };
  } finally {
    await sender.close();
  }
}

describe('createWebhookSender', () => {
  it('a name is resolved once per connection, so that a second answer is never dialed', async () => {
    const before = connections;
    // The first answer is refused. If the name were resolved again, the second would pass the check.
    const result = await sendTo(`https://rebinding.example:${port}/`, [[loopback], [outside]]);
    expect(result).toMatchObject({ asked: 1, error: 'the address is not public' });
    expect(connections).toBe(before);
  });

  it('a target in WEBHOOK_ALLOW_TARGETS is reached over http, on its port; no other is', async () => {
    const target = `127.0.0.1:${port}`;
    expect(await sendTo(`http://${target}/`, [], [target])).toMatchObject({
      responseStatus: 200,
      error: null,
    });
    for (const host of [`127.0.0.1:${port + 1}`, `plain.example:${port}`]) {
      expect(await sendTo(`http://${host}/`, [[outside]], [target])).toMatchObject({
        error: 'the address is not public',
      });
    }
  });
});
