import { randomBytes } from 'node:crypto';
import { eventually } from '@hookline/testing/eventually';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import type { GatewayDeps } from '../../deps.ts';
import { makeApiKey } from '../../identity/keys/api-key.rules.ts';
import { createInside } from '../../identity/keys/credential.ts';
import { addMcpRoute } from './routes.ts';

it('answers service_unavailable to a tool whose second request comes after the close', async () => {
  const app = Fastify();
  let release: (() => void) | null = null;
  app.get('/api/v1/*', async () => {
    await new Promise<void>(resolve => {
      release = resolve;
    });
    return { data: { id: 'content_1' } };
  });
  const deps = { publicUrl: 'http://localhost:8080', corsOrigins: [], inside: createInside() };
  addMcpRoute(app, deps as unknown as GatewayDeps);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const asked = app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      host: 'localhost:8080',
      authorization: `Bearer ${makeApiKey(randomBytes(32))}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    payload: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'why', arguments: { id: 'content_1' } },
    }),
  });
  await eventually(() => expect(release).not.toBeNull());
  const closed = app.close();
  await new Promise(resolve => setTimeout(resolve, 50));
  (release as (() => void) | null)?.();
  const { body } = await asked;
  expect(body).toContain('service_unavailable');
  expect(body).toContain('\\"retryAfterSeconds\\":1');
  await closed;
});
