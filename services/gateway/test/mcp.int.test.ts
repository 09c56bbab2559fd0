/** `POST /mcp` with the requests that clients send; real clients are in tests/e2e/doors.e2e.test.ts. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { perSuite } from '@hookline/testing/per-suite';
import { beforeAll, describe, expect, it } from 'vitest';
import { startOwner, startTestGateway } from './world.ts';

const content = perSuite(() => startOwner('content'));
const gateway = perSuite(() => startTestGateway({ content: content.url }, { env: { LIMIT_PER_KEY: '6' } }));
let token: string;
let agentKey: string;

beforeAll(async () => {
  ({ token } = await gateway.signUp());
  agentKey = (await gateway.mint(token, ['credits:read', 'content:write', 'content:approve'])).key;
});

const meta = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

async function send(
  method: string,
  params: Record<string, unknown> = {},
  key: string | undefined = agentKey,
  headers: Record<string, string> = {},
) {
  return await gateway.call('POST', '/mcp', {
    ...(key === undefined ? {} : { token: key }),
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, ...meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
      ...headers,
    },
  });
}

describe('POST /mcp', () => {
  it('lists the tools of the scopes of the key, none of which approves', async () => {
    const { status, body } = await send('tools/list');
    expect(status, JSON.stringify(body)).toBe(200);
    const names = (body.result.tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual([
      ...['create_deck', 'create_decks', 'edit_deck', 'list_accounts', 'get_credits', 'enter_results'],
      ...['add_post', 'compare_hooks'],
    ]);
  });

  it('400 for a batch, which would be many requests that count as one', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: meta };
    const answer = await gateway.call('POST', '/mcp', {
      token: agentKey,
      body: [message, message],
      headers: { accept: 'application/json, text/event-stream' },
    });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  });

  it('calls the API as the caller, with a derived Idempotency-Key', async () => {
    content.seen.length = 0;
    const args = { appId: 'product_1', topic: 'habits' };
    await send('tools/call', { name: 'create_deck', arguments: args });
    await send('tools/call', { name: 'create_deck', arguments: args });
    const [first, second] = content.seen;
    expect(first).toMatchObject({
      method: 'POST',
      url: '/v1/content',
      body: { appId: 'product_1', type: 'slideshow', brief: { topic: 'habits', templateId: 'auto' } },
    });
    expect(first?.call?.caller?.scopes).toContain('content:write');
    expect(first?.headers['idempotency-key']).toMatch(/^mcp-/);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('links a deck in the workspace of the key, whichever one its reader is in', async () => {
    const { key } = await gateway.mint(token, ['content:read']);
    const params = { name: 'request_approval', arguments: { deckId: 'content_1' } };
    const { body } = await send('tools/call', params, key);
    const workspace = await gateway.call('GET', '/api/v1/workspace', { token });
    expect(JSON.parse(body.result.content[0].text).url).toContain(
      `/console/in/${workspace.body.data.id}/approve?deck=`,
    );
  });

  it('answers the API’s refusals as isError with the next step', async () => {
    const { status, body } = await send('tools/call', { name: 'list_apps', arguments: {} });
    expect([status, body.result.isError]).toEqual([200, true]);
    expect(JSON.parse(body.result.content[0].text).error).toMatchObject({
      code: 'missing_scope',
      nextStep: expect.stringContaining('key with that scope'),
    });
  });

  it('counts a call as the requests that it makes, and answers the limit with its seconds', async () => {
    const { key } = await gateway.mint(token, ['credits:read']);
    for (let n = 0; n < 6; n += 1) await send('tools/call', { name: 'get_credits', arguments: {} }, key);
    const { status, body } = await send('tools/call', { name: 'get_credits', arguments: {} }, key);
    expect(status).toBe(200);
    expect(JSON.parse(body.result.content[0].text).error).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: expect.any(Number),
    });
    const list = await send('tools/list', {}, key);
    expect([list.status, list.body.error.code]).toEqual([429, 'rate_limited']);
  });

  it.each([
    ['no key', undefined],
    ['a mistyped key', `svc_live_${'a'.repeat(49)}`],
    ['a session', 'sess_x'],
  ])('401 with a challenge and the envelope for %s', async (_, key) => {
    for (const method of ['tools/list', 'tools/call']) {
      const params = method === 'tools/call' ? { name: 'get_credits', arguments: {} } : {};
      const { status, body, headers } = await gateway.call('POST', '/mcp', {
        ...(key === undefined ? {} : { token: key }),
        body: { jsonrpc: '2.0', id: 1, method, params },
      });
      expect([status, body.error.code]).toEqual([401, 'unauthorized']);
      const challenge = headers.get('www-authenticate');
      const where = 'resource_metadata="http://localhost:0/.well-known/oauth-protected-resource/mcp"';
      expect(challenge).toBe(
        key === undefined ? `Bearer ${where}` : `Bearer error="invalid_token", ${where}`,
      );
    }
  });

  it('401 for a revoked key, also when the arguments are wrong', async () => {
    const { id, key } = await gateway.mint(token, ['credits:read']);
    await gateway.call('DELETE', `/api/v1/keys/${id}`, { token });
    for (const args of [{}, { wrong: true }]) {
      const { status, body } = await send('tools/call', { name: 'get_credits', arguments: args }, key);
      expect([status, body.error.code]).toEqual([401, 'key_revoked']);
    }
  });

  it.each(['https://evil.example', 'null'])('403 for a page of %s', async origin => {
    const { status, body } = await send('tools/list', {}, agentKey, { origin });
    expect([status, body.error.code]).toEqual([403, 'missing_scope']);
  });

  it.each(['evil.example', 'localhost.evil.example:8080'])('403 for the Host %s', async host => {
    const asked = request(`${gateway.url}/mcp`, {
      method: 'POST',
      headers: { host, authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' },
    });
    asked.end('{}');
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([403, expect.stringContaining('PUBLIC_URL')]);
  });

  it.each([
    ['GET', '/mcp', 405],
    ['DELETE', '/mcp', 405],
    ['GET', '/.well-known/oauth-authorization-server/mcp', 404],
    ['GET', '/.well-known/openid-configuration', 404],
    ['POST', '/register', 404],
  ])('%s %s is %i with the envelope', async (method, path, expected) => {
    const { status, body } = await gateway.call(method, path, { token: agentKey });
    expect([status, typeof body.error.requestId]).toEqual([expected, 'string']);
  });

  it('answers a client of 2025-11-25, with an icon that is there', async () => {
    const { key } = await gateway.mint(token, ['credits:read']);
    const answer = await gateway.call('POST', '/mcp', {
      token: key,
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"protocolVersion":"2025-11-25"');
    expect(answer.text).toContain('/console/icon-192.png","mimeType":"image/png"');
  });

  it('400 for what is not JSON', async () => {
    const { key } = await gateway.mint(token, ['credits:read']);
    const { status } = await gateway.call('POST', '/mcp', {
      token: key,
      rawBody: '{',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    expect(status).toBe(400);
  });
});
