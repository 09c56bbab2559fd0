import { connect, createServer, type Server, type Socket } from 'node:net';
import { testRedisUrl } from '@hookline/infra/test-infra';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwner, startTestGateway, type TestGateway } from './world.ts';

const redisUrl = await testRedisUrl();

/** A connection to Redis that can be cut. */
class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  constructor(target: URL) {
    this.#server = createServer(socket => {
      if (this.#isCut) {
        socket.destroy();
        return;
      }
      const far = connect(Number(target.port || 6379), target.hostname);
      for (const [one, other] of [
        [socket, far],
        [far, socket],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
      socket.pipe(far).pipe(socket);
    });
  }
  async open(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }
  mend(): void {
    this.#isCut = false;
  }
  close(): void {
    this.cut();
    this.#server.close();
  }
}

describe.skipIf(redisUrl === null)('two gateways, one of them cut off from Redis', () => {
  const content = perSuite(() => startOwner('content'));
  let wire: Wire;
  let cutOff: TestGateway;
  let other: TestGateway;

  beforeAll(async () => {
    wire = new Wire(new URL(redisUrl!));
    const env = { GATEWAY_REPLICAS: '2' };
    cutOff = await startTestGateway(
      { content: content.url },
      { env: { ...env, REDIS_URL: await wire.open() } },
    );
    other = await startTestGateway(
      { content: content.url },
      { env: { ...env, REDIS_URL: redisUrl! }, database: cutOff.database },
    );
  });
  afterAll(async () => {
    await other?.stop();
    await cutOff?.stop();
    wire?.close();
  });

  const ask = (gateway: TestGateway, key: string) => gateway.call('GET', '/api/v1/apps', { token: key });
  const passed = async (gateway: TestGateway, key: string, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(gateway, key)));
    for (const answer of answers) expect([200, 429]).toContain(answer.status);
    return answers.filter(answer => answer.status === 200).length;
  };

  it('no request fails, each keeps its share, and the limits are exact again within 5 s', async () => {
    const { token } = await cutOff.signUp();
    const first = await cutOff.mint(token, ['apps:read']);
    expect(await passed(cutOff, first.key, 30)).toBe(30);
    wire.cut();
    const second = await cutOff.mint(token, ['apps:read']);
    expect(await passed(cutOff, second.key, 100)).toBe(60);
    wire.mend();
    const beganMs = Date.now();
    await eventually(async () => {
      // The limits are exact again: both gateways count in the same window.
      const { key } = await cutOff.mint(token, ['apps:read']);
      const sum = (await passed(cutOff, key, 80)) + (await passed(other, key, 80));
      expect(sum).toBe(120);
    }, 5_000);
    expect(Date.now() - beganMs).toBeLessThan(5_000);
  });

  it('a key revoked at the cut-off gateway passes nowhere after the answer', async () => {
    const { token } = await cutOff.signUp();
    const { id, key } = await cutOff.mint(token, ['apps:read']);
    wire.cut();
    // The other gateway uses the key continuously, so that Redis has a copy of its record.
    let isRevoking = true;
    const using = (async () => {
      while (isRevoking) {
        await ask(other, key);
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    })();
    const answer = await cutOff.call('DELETE', `/api/v1/keys/${id}`, { token });
    expect(answer.status).toBe(200);
    const codes = await Promise.all([ask(other, key), ask(cutOff, key)]);
    expect(codes.map(({ body }) => body.error?.code)).toEqual(['key_revoked', 'key_revoked']);
    isRevoking = false;
    await using;
    wire.mend();
    for (let index = 0; index < 10; index += 1) expect((await ask(cutOff, key)).status).toBe(401);
  });
});
