import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { countWaiting } from '../contracts/internal.ts';
import { createServiceClient } from './client.ts';

it('says that a service is unavailable whose name cannot be resolved', async () => {
  const sign = () => ({ 'x-hookline-caller': '' });
  // An empty label: refused by the resolver without a question to a server.
  const client = createServiceClient({ sender: 'scheduling', sign, peers: { content: ['http://a..b:1'] } });
  const fetching = () => client.fetchBytes('/internal/x', { bytesMax: 1 });
  const expected = { code: 'service_unavailable', status: 503, cause: { code: 'ENOTFOUND' } };
  await expect(fetching()).rejects.toMatchObject(expected);
  // The failed lookup is remembered for a second, and fails the next call before it begins.
  await expect(fetching()).rejects.toMatchObject(expected);
  await client.close();
});

it('passes on when a service says to try again', async () => {
  const server = createServer((_request, response) => {
    const error = { code: 'service_unavailable', message: 'Not now.', requestId: 'req_1' };
    response.writeHead(503, { 'retry-after': '7' }).end(JSON.stringify({ error }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const content = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  const sign = () => ({ 'x-hookline-caller': '' });
  const client = createServiceClient({ sender: 'gateway', sign, peers: { content } });
  const expected = { status: 503, message: 'Not now.', retryAfterSeconds: 7 };
  await expect(client.call(countWaiting, { body: {} })).rejects.toMatchObject(expected);
  await client.close();
  server.close();
});
