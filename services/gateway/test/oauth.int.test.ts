/** OAuth for clients of `POST /mcp`: the flow of the official clients, and every refusal. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { scopes } from '@hookline/shared/contracts/scopes';
import { dayMs, hourMs, minuteMs } from '@hookline/shared/kernel/durations';
import { startCutProxy } from '@hookline/testing/cut-at';
import { eventually } from '@hookline/testing/eventually';
import { selfSigned } from '@hookline/testing/self-signed';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  connectMcpByOAuth,
  type Generation,
  installMcpClients,
  type OAuthState,
  oauthRedirect,
} from '../../../tests/lab/kit/clients/mcp.ts';
import { freePorts } from '../../../tests/lab/kit/product/processes.ts';
import { startOwner, startTestGateway, type TestGateway, type TestOwner } from './world.ts';

let gateway: TestGateway;
let content: TestOwner;
let documents: Server;
let documentUrl: string;
let silentAsked = 0;
let publicUrl: string;
let maya: { cookie: string; token: string };
let clock: Date | null = null;
const trusted = getCACertificates('default');

beforeAll(async () => {
  const { key, cert } = selfSigned();
  setDefaultCACertificates([...trusted, cert]);
  documents = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/silent')) {
      silentAsked += 1;
      return;
    }
    if (path === '/moved.json') return response.writeHead(302, { location: documentUrl }).end();
    response.setHeader('content-type', path === '/page.json' ? 'text/html' : 'application/json');
    const padding = path === '/large.json' ? 'x'.repeat(20_000) : '';
    const id = path === '/other.json' ? documentUrl : documentUrl.replace('/client.json', path);
    const name = 'Lab\n client';
    response.end(
      JSON.stringify({ client_id: id, client_name: name, redirect_uris: [oauthRedirect], padding }),
    );
  });
  await new Promise<void>(resolve => documents.listen(0, '127.0.0.1', resolve));
  const { port: documentPort } = documents.address() as AddressInfo;
  documentUrl = `https://localhost:${documentPort}/client.json`;
  const [[port], owner] = await Promise.all([freePorts(1), startOwner('content'), installMcpClients()]);
  content = owner;
  publicUrl = `http://127.0.0.1:${port}`;
  gateway = await startTestGateway(
    { content: content.url },
    {
      env: { PORT: String(port), PUBLIC_URL: publicUrl, LIMIT_PER_KEY: '100000', LIMIT_KEYS: '1000' },
      clientDocumentTargets: new Set([`localhost:${documentPort}`]),
      now: () => clock ?? new Date(),
    },
  );
  const { token, ...person } = await gateway.signUp();
  maya = { token, cookie: await signIn(person) };
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await gateway?.stop();
  await content?.close();
  await new Promise(resolve => documents?.close(resolve));
});
afterEach(() => {
  clock = null;
});

const own = { 'sec-fetch-site': 'same-origin' };

async function signIn(person: { email: string; password: string }): Promise<string> {
  const { email, password } = person;
  const answer = await gateway.call('POST', '/console/api/v1/auth/sign-in', {
    body: { email, password },
    headers: own,
  });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

const ask = (cookie: string, method: string, query: string, body?: unknown, headers = own) =>
  gateway.call(method, `/console/api/v1/auth/authorizations${query}`, {
    headers: { cookie, ...headers },
    ...(body === undefined ? {} : { body }),
  });

/** What the console's page does: it reads the request, shows it, and sends the decision. */
async function decide(
  cookie: string,
  authorization: URL,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  expect(authorization.origin + authorization.pathname).toBe(`${publicUrl}/console/authorize`);
  const shown = await ask(cookie, 'GET', authorization.search);
  expect(shown.status, shown.text).toBe(200);
  const answer = await ask(cookie, 'POST', '', {
    request: Object.fromEntries(authorization.searchParams),
    workspaceId: shown.body.data.workspace.id,
    decision,
    scopes: shown.body.data.scopes,
  });
  expect(answer.status, answer.text).toBe(200);
  return new URL(answer.body.data.redirectTo);
}

async function register(redirect = oauthRedirect): Promise<string> {
  const answer = await gateway.call('POST', '/oauth/register', {
    body: { client_name: 'A client', redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.client_id;
}

const verifier = randomBytes(32).toString('base64url');

function authorizationOf(clientId: string, changes: Record<string, string | null> = {}): URL {
  const parameters: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: oauthRedirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 's1',
    resource: `${publicUrl}/mcp`,
    ...changes,
  };
  const url = new URL(`${publicUrl}/console/authorize`);
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return url;
}

const post = (path: string, form: Record<string, string | null>) =>
  gateway.call('POST', path, {
    rawBody: new URLSearchParams(
      Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== null),
    ).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const exchange = (clientId: string, code: string, changes: Record<string, string | null> = {}) =>
  post('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: oauthRedirect,
    code_verifier: verifier,
    resource: `${publicUrl}/mcp`,
    ...changes,
  });

const refresh = (clientId: string, token: string, changes: Record<string, string | null> = {}) =>
  post('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: clientId,
    resource: `${publicUrl}/mcp`,
    ...changes,
  });

async function codeFor(cookie: string, clientId: string): Promise<string> {
  return (await decide(cookie, authorizationOf(clientId))).searchParams.get('code') ?? '';
}

async function granted() {
  const clientId = await register();
  const code = await codeFor(maya.cookie, clientId);
  const answer = await exchange(clientId, code);
  expect(answer.status, answer.text).toBe(200);
  return {
    clientId,
    code,
    tokens: answer.body as { access_token: string; refresh_token: string },
  };
}

const callMcp = (token: string, name = 'get_credits', args: object = {}) =>
  gateway.call('POST', '/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });

const keysOf = async (token: string) =>
  (await gateway.call('GET', '/api/v1/keys', { token })).body.data as {
    id: string;
    name: string;
    scopes: string[];
    revokedAt: string | null;
  }[];

describe('the flow of the official clients', () => {
  const flows: [Generation, string, () => string | null][] = [
    ['2.4, 2026-07-28', 'its metadata document', () => documentUrl],
    ['1.32, 2025-11-25', 'registration', () => null],
  ];

  it.each(flows)('%s, by %s: from the 401 to a call of a tool', async (generation, _by, document) => {
    const { cookie, token } = maya;
    const state: OAuthState = {};
    content.seen.length = 0;
    const client = await connectMcpByOAuth(
      generation,
      publicUrl,
      document(),
      url => decide(cookie, url),
      state,
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('create_deck');
    await client.callTool({ name: 'get_credits', arguments: {} }).catch(() => {});
    await client.close();
    const [key] = await keysOf(token);
    const isDocument = document() !== null;
    expect(key?.name).toBe(
      isDocument ? `Lab client (${new URL(documentUrl).host})` : 'Hookline lab (this computer)',
    );
    // Publishing is granted apart, approving never.
    expect(key?.scopes).toEqual(
      scopes.filter(scope => scope !== 'content:approve' && scope !== 'schedules:publish'),
    );
    const seen = content.seen.find(({ url }) => url === '/v1/credits');
    expect(seen?.call?.caller).toMatchObject({ keyId: key?.id, actor: { kind: 'key' } });
    expect(state.tokens?.scope.split(' ')).toEqual(key?.scopes);
  });

  it('a client refreshes by itself when its access token has ended', async () => {
    const { cookie } = maya;
    const state: OAuthState = {};
    const url = publicUrl;
    const connect = () =>
      connectMcpByOAuth('2.4, 2025-11-25', url, null, authorization => decide(cookie, authorization), state);
    await (await connect()).close();
    const before = state.tokens;
    clock = new Date(Date.now() + hourMs);
    const client = await connect();
    expect((await client.listTools()).tools).not.toHaveLength(0);
    await client.close();
    expect(state.tokens?.access_token).not.toBe(before?.access_token);
  });
});

describe('discovery', () => {
  it('is where the specifications want it, and names what there is', async () => {
    const resource = await gateway.call('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(resource.body).toMatchObject({ resource: `${publicUrl}/mcp`, authorization_servers: [publicUrl] });
    expect((await gateway.call('GET', '/.well-known/oauth-protected-resource')).text).toBe(resource.text);
    const { body } = await gateway.call('GET', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: publicUrl,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(body.scopes_supported).not.toContain('content:approve');
    const page = await gateway.call('GET', new URL(body.authorization_endpoint).pathname);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('the authorization request', () => {
  it('shows the client, where it leads, the workspace and the scopes', async () => {
    const { cookie } = maya;
    const clientId = await register('https://claude.example/callback');
    const url = authorizationOf(clientId, {
      redirect_uri: 'https://claude.example/callback',
      scope: 'content:read content:approve schedules:publish offline_access',
    });
    const { status, body } = await ask(cookie, 'GET', url.search);
    expect([status, body.data]).toEqual([
      200,
      {
        client: { name: 'A client', host: null },
        returnsTo: 'claude.example',
        workspace: { id: expect.stringMatching(/^workspace_/), name: expect.any(String) },
        scopes: ['content:read'],
        optionalScopes: ['schedules:publish'],
        refusal: null,
      },
    ]);
  });

  const toPerson: [string, Record<string, string | null>, string][] = [
    ['an unknown client', { client_id: 'client_x' }, 'client_id must be'],
    ['a client id that cannot be stored', { client_id: 'client_\0' }, 'client_id must be'],
    ['a redirect to another host', { redirect_uri: 'https://evil.example/callback' }, 'redirect_uri must be'],
    ['a document on this machine', { client_id: 'https://127.0.0.1/client.json' }, 'must name a public host'],
  ];

  it.each(toPerson)('%s is shown to the person, without a redirect', async (_, changes, message) => {
    const { cookie } = maya;
    const url = authorizationOf(await register(), changes);
    const shown = await ask(cookie, 'GET', url.search);
    expect([shown.status, shown.body.error.code]).toEqual([400, 'invalid_request']);
    expect(shown.body.error.message).toContain(message);
    const body = {
      request: Object.fromEntries(url.searchParams),
      workspaceId: (await ask(cookie, 'GET', authorizationOf(await register()).search)).body.data.workspace
        .id,
      decision: 'deny',
    };
    const decided = await ask(cookie, 'POST', '', body);
    expect([decided.status, decided.text]).toEqual([400, expect.not.stringContaining('redirectTo')]);
  });

  it.each(['/moved.json', '/page.json', '/large.json', '/other.json'])(
    'refuses the document %s',
    async path => {
      const { cookie } = maya;
      const url = authorizationOf(documentUrl.replace('/client.json', path));
      const { status, body } = await ask(cookie, 'GET', url.search);
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringContaining('client_id names a document'),
      ]);
    },
  );

  it('with eight documents of one workspace that never come, those of others are read', async () => {
    const { token: _, ...person } = await gateway.signUp();
    const cookie = await signIn(person);
    const askFor = (who: string, path: string) =>
      ask(who, 'GET', authorizationOf(documentUrl.replace('/client.json', path)).search);
    const silent = Promise.all(Array.from({ length: 8 }, (_one, at) => askFor(cookie, `/silent${at}.json`)));
    await eventually(() => expect(silentAsked).toBe(2));
    expect((await askFor(maya.cookie, '/of-another.json')).status).toBe(200);
    const answers = await silent;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([400, 400, ...Array(6).fill(503)]);
    const refused = answers.find(({ status }) => status === 503);
    expect([refused?.headers.get('retry-after'), refused?.body.error.code]).toEqual([
      '5',
      'service_unavailable',
    ]);
  });

  const toClient: [string, Record<string, string | null>, string][] = [
    ['no PKCE', { code_challenge: null }, 'invalid_request'],
    ['no resource', { resource: null }, 'invalid_target'],
    ['another resource', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ['no scope that tools use', { scope: 'content:approve' }, 'invalid_scope'],
  ];

  it.each(toClient)('%s goes back to the client', async (_, changes, error) => {
    const { cookie } = maya;
    const { status, body } = await ask(cookie, 'GET', authorizationOf(await register(), changes).search);
    expect(status).toBe(200);
    const back = new URL(body.data.refusal.redirectTo).searchParams;
    expect([back.get('error'), back.get('state'), back.get('iss'), back.get('code')]).toEqual([
      error,
      's1',
      publicUrl,
      null,
    ]);
  });

  it('denied, leads back with access_denied; a loopback address may have another port', async () => {
    const { cookie } = maya;
    const url = authorizationOf(await register(), { redirect_uri: 'http://127.0.0.1:50123/callback' });
    const back = await decide(cookie, url, 'deny');
    expect([back.port, back.searchParams.get('error')]).toEqual(['50123', 'access_denied']);
  });

  it('is decided by the console’s own page, for its own workspace, with scopes that were offered', async () => {
    const { cookie } = maya;
    const url = authorizationOf(await register(), { scope: 'content:read' });
    const { workspace } = (await ask(cookie, 'GET', url.search)).body.data;
    const body = {
      request: Object.fromEntries(url.searchParams),
      workspaceId: workspace.id,
      decision: 'allow',
      scopes: ['content:read'],
    };
    const tries: [object, Record<string, string>, number, string][] = [
      [body, { 'sec-fetch-site': 'cross-site' }, 403, 'Only pages of'],
      [{ ...body, workspaceId: 'workspace_x' }, own, 409, 'workspaceId must be'],
      [{ ...body, scopes: ['content:approve'] }, own, 400, 'scopes must be'],
      [{ ...body, scopes: ['apps:write'] }, own, 400, 'scopes must be'],
      [{ ...body, scopes: [] }, own, 400, 'scopes must be'],
      [{ ...body, decision: 'yes' }, own, 400, 'decision must be'],
    ];
    for (const [sent, headers, status, message] of tries) {
      const answer = await ask(cookie, 'POST', '', sent, headers as typeof own);
      expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
    }
    expect((await gateway.call('GET', `/console/api/v1/auth/authorizations${url.search}`)).status).toBe(401);
  });
});

describe('the tokens', () => {
  it('open /mcp and nothing else', async () => {
    const { tokens } = await granted();
    expect((await callMcp(tokens.access_token)).status).toBe(200);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await gateway.call('GET', '/api/v1/usage', { token })).status).toBe(401);
      expect((await gateway.call('GET', '/api/v1/keys', { token })).status).toBe(401);
    }
    expect((await callMcp(tokens.refresh_token)).status).toBe(401);
  });

  const wrong: [string, Record<string, string | null>, string][] = [
    ['a wrong verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: null }, 'invalid_request'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:41998/callback' }, 'invalid_grant'],
    ['no resource', { resource: null }, 'invalid_target'],
    ['another client', { client_id: 'client_other' }, 'invalid_grant'],
    ['another code', { code: 'mcp_code_x' }, 'invalid_grant'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ];

  it('are refused for what is wrong, and given for what is right', async () => {
    const { cookie } = maya;
    const clientId = await register();
    const code = await codeFor(cookie, clientId);
    for (const [what, changes, error] of wrong) {
      const { status, body, headers } = await exchange(clientId, code, changes);
      expect([what, status, body.error]).toEqual([what, 400, error]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    // A client of OAuth 2.1 names no address here: the verifier proves more.
    expect((await exchange(clientId, code, { redirect_uri: null })).status).toBe(200);
  });

  it('a code ends after 60 s', async () => {
    const { cookie } = maya;
    const clientId = await register();
    const code = await codeFor(cookie, clientId);
    clock = new Date(Date.now() + minuteMs + 1_000);
    expect((await exchange(clientId, code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('a code that nobody used is not stored after its end, a used one is', async () => {
    const { cookie } = maya;
    const { clientId } = await granted();
    await codeFor(cookie, clientId);
    const codes = async () => {
      const { rows } = await gateway.admin.query(
        'select key_id is not null as used from gateway.oauth_codes where client_id = $1 order by used',
        [clientId],
      );
      return rows.map(({ used }) => used);
    };
    expect(await codes()).toEqual([false, true]);
    clock = new Date(Date.now() + hourMs);
    await codeFor(maya.cookie, await register());
    expect(await codes()).toEqual([true]);
  });

  it('a replayed code ends the grant', async () => {
    const { clientId, code, tokens } = await granted();
    expect((await exchange(clientId, code)).body.error).toBe('invalid_grant');
    expect((await callMcp(tokens.access_token)).body.error.code).toBe('key_revoked');
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('an access token ends after an hour and by a refresh; a reused refresh token ends the family', async () => {
    const { token } = maya;
    const { clientId, tokens } = await granted();
    clock = new Date(Date.now() + hourMs);
    const late = await callMcp(tokens.access_token);
    expect([late.status, late.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect((await refresh(clientId, tokens.refresh_token, { resource: null })).body.error).toBe(
      'invalid_target',
    );
    expect((await refresh('client_other', tokens.refresh_token)).body.error).toBe('invalid_grant');
    const { body: next } = await refresh(clientId, tokens.refresh_token);
    expect((await callMcp(next.access_token)).status).toBe(200);
    expect((await callMcp(tokens.access_token)).status).toBe(401);
    clock = new Date(clock.getTime() + minuteMs);
    expect((await refresh(clientId, tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await callMcp(next.access_token)).status).toBe(401);
    expect((await refresh(clientId, next.refresh_token)).body.error).toBe('invalid_grant');
    clock = null;
    expect((await keysOf(token))[0]?.revokedAt).not.toBeNull();
  });

  it('two refreshes at once get the same tokens, and of the one before them nobody', async () => {
    const { clientId, tokens } = await granted();
    const [first, second] = await Promise.all([
      refresh(clientId, tokens.refresh_token),
      refresh(clientId, tokens.refresh_token),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual({ ...first.body, expires_in: expect.any(Number) });
    expect((await callMcp(first.body.access_token)).status).toBe(200);
    const { body: next } = await refresh(clientId, first.body.refresh_token);
    expect((await callMcp(next.access_token)).status).toBe(200);
    // This one was replaced: a copy sends it.
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await callMcp(next.access_token)).body.error.code).toBe('key_revoked');
  });

  describe('whose answer is lost at the commit', () => {
    let proxy: Awaited<ReturnType<typeof startCutProxy>>;
    let unlucky: TestGateway;
    beforeAll(async () => {
      const url = new URL(gateway.database.roleUrl('gateway'));
      proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) });
      url.hostname = '127.0.0.1';
      url.port = String(proxy.port);
      unlucky = await startTestGateway(
        { content: content.url },
        {
          database: gateway.database,
          env: { DATABASE_URL: url.href, PUBLIC_URL: publicUrl },
          now: () => clock ?? new Date(),
        },
      );
    });
    afterAll(async () => {
      await unlucky?.stop();
      await proxy?.close();
    });

    /** Asks the unlucky gateway, which loses the answer to the commit after this statement. */
    async function askUnlucky(statement: string, form: Record<string, string>) {
      let writer = 0;
      let isCommitted = false;
      proxy.arm(({ connection, from, bytes }) => {
        if (from === 'client' && bytes.includes(statement)) writer = connection;
        if (connection !== writer) return null;
        if (from === 'client' && bytes.includes('commit')) isCommitted = true;
        return from === 'server' && isCommitted ? 0 : null;
      });
      const answer = await unlucky.call('POST', '/oauth/token', {
        rawBody: new URLSearchParams({ ...form, resource: `${publicUrl}/mcp` }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(proxy.cuts).toBeGreaterThan(0);
      proxy.disarm();
      return answer;
    }

    it('a refresh is repeated within 60 s, and gets its tokens', async () => {
      const { clientId, tokens } = await granted();
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: clientId };
      const lost = await askUnlucky('update oauth_grants', form);
      expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1']);
      clock = new Date(Date.now() + minuteMs - 5_000);
      const { status, body: next } = await refresh(clientId, tokens.refresh_token);
      expect(status).toBe(200);
      expect(next.expires_in).toBeLessThanOrEqual(3_545);
      expect((await callMcp(next.access_token)).status).toBe(200);
      expect((await refresh(clientId, next.refresh_token)).status).toBe(200);
    });

    it('a code is not repeated: the answer asks for a new authorization', async () => {
      const clientId = await register();
      const lost = await askUnlucky('update oauth_codes', {
        grant_type: 'authorization_code',
        code: await codeFor(maya.cookie, clientId),
        client_id: clientId,
        redirect_uri: oauthRedirect,
        code_verifier: verifier,
      });
      expect([lost.status, lost.headers.get('retry-after')]).toEqual([504, null]);
      expect(lost.body.error).toMatchObject({
        code: 'outcome_unknown',
        message: expect.stringContaining('Begin a new authorization'),
      });
    });
  });

  it('a grant that nobody refreshes ends after 30 days', async () => {
    const { clientId, tokens } = await granted();
    clock = new Date(Date.now() + 30 * dayMs);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('end when the person revokes the key, with rows in the audit log', async () => {
    const { token } = maya;
    const { clientId, tokens } = await granted();
    const [key] = await keysOf(token);
    await gateway.call('DELETE', `/api/v1/keys/${key?.id}`, { token });
    expect((await callMcp(tokens.access_token)).body.error.code).toBe('key_revoked');
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
    const { body } = await gateway.call('GET', '/api/v1/audit?limit=100', { token });
    type Row = { action: string; subject: { id: string }; actor: object; detail: object };
    const rows = (body.data as Row[]).filter(({ subject }) => subject.id === key?.id);
    expect(rows.map(({ action }) => action)).toEqual(['key.created', 'key.revoked']);
    expect(rows[0]).toMatchObject({ actor: { kind: 'person' }, detail: { client: clientId } });
  });

  it('end when the client revokes one of them', async () => {
    const { clientId, tokens } = await granted();
    const revoke = (client: string) =>
      post('/oauth/revoke', { token: tokens.refresh_token, client_id: client });
    expect((await revoke('client_other')).status).toBe(200);
    expect((await callMcp(tokens.access_token)).status).toBe(200);
    expect((await revoke(clientId)).status).toBe(200);
    expect((await callMcp(tokens.access_token)).status).toBe(401);
    expect((await post('/oauth/revoke', { token: 'x', client_id: clientId })).status).toBe(200);
  });

  it('do what the role does today, and end with the membership', async () => {
    const owner = await gateway.signUp();
    const email = `member${randomBytes(4).toString('hex')}@example.com`;
    const password = 'correct horse battery';
    const invited = await gateway.call('POST', '/api/v1/workspace/invitations', {
      token: owner.token,
      body: { email, role: 'editor' },
    });
    const [, link = ''] = /token=([\w-]+)/.exec(invited.body.data.url) ?? [];
    const accepted = await gateway.call('POST', '/api/v1/auth/invitations/accept', {
      body: { token: link, password },
    });
    const { id: userId } = accepted.body.data.user;
    const cookie = await signIn({ email, password });
    const clientId = await register();
    const { body: tokens } = await exchange(clientId, await codeFor(cookie, clientId));
    expect(tokens.scope).not.toContain('webhooks:write');
    expect(tokens.scope).toContain('content:write');

    const member = `/api/v1/workspace/members/${userId}`;
    await gateway.call('PATCH', member, { token: owner.token, body: { role: 'viewer' } });
    const refused = await callMcp(tokens.access_token, 'import_app');
    expect(refused.text).toMatch(/missing_scope|invalid_request/);
    const { body: fewer } = await refresh(clientId, tokens.refresh_token);
    expect(fewer.scope).not.toContain(':write');
    const asViewer = await ask(cookie, 'GET', authorizationOf(clientId).search);
    const again = await ask(cookie, 'POST', '', {
      request: Object.fromEntries(authorizationOf(clientId).searchParams),
      workspaceId: asViewer.body.data.workspace.id,
      decision: 'allow',
      scopes: asViewer.body.data.scopes,
    });
    expect([again.status, again.body.error.code]).toEqual([403, 'missing_scope']);

    const removed = await gateway.call('DELETE', member, { token: owner.token });
    expect(removed.body.data.revokedKeyIds).toHaveLength(1);
    expect((await callMcp(fewer.access_token)).status).toBe(401);
    expect((await refresh(clientId, fewer.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('a workspace that is deleted in seven days', () => {
  it('grants nothing new; a client that has a grant reads, refreshes, and is told why it cannot write', async () => {
    const { token, email, password } = await gateway.signUp();
    const cookie = await signIn({ email, password });
    const clientId = await register();
    const { body: tokens } = await exchange(clientId, await codeFor(cookie, clientId));
    const code = await codeFor(cookie, clientId);
    await gateway.call('DELETE', '/api/v1/workspace', { token, body: { password } });

    const late = await exchange(clientId, code);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect(late.body.error_description).toContain('This workspace is deleted at');
    const { body: asked } = await ask(cookie, 'GET', authorizationOf(clientId).search);
    const back = new URL(asked.data.refusal.redirectTo).searchParams;
    expect([back.get('error'), back.get('error_description')]).toEqual([
      'access_denied',
      expect.stringContaining('This workspace is deleted at'),
    ]);

    const { body: next } = await refresh(clientId, tokens.refresh_token);
    const read = await callMcp(next.access_token);
    expect([read.status, read.text]).toEqual([200, expect.not.stringContaining('is deleted at')]);
    const url = 'https://apps.apple.com/app/id1';
    const write = await callMcp(next.access_token, 'import_app', { name: 'Pebblo', appStoreUrl: url });
    expect([write.status, write.text]).toEqual([
      200,
      expect.stringMatching(/This workspace is deleted at .* or tell the person/),
    ]);
  });
});

it.each([
  ['/oauth/token', 'application/x-www-form-urlencoded', 'invalid_request'],
  ['/oauth/revoke', 'application/x-www-form-urlencoded', 'invalid_request'],
  ['/oauth/register', 'application/json', 'invalid_client_metadata'],
])('%s refuses a body of more than 16 KB in the form of OAuth', async (path, contentType, error) => {
  const { status, body } = await gateway.call('POST', path, {
    rawBody: 'x'.repeat(16_385),
    headers: { 'content-type': contentType },
  });
  expect([status, body]).toEqual([
    413,
    { error, error_description: 'The body must be at most 16384 bytes.' },
  ]);
});

describe('registration', () => {
  it.each([
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [
      'another grant',
      { redirect_uris: [oauthRedirect], grant_types: ['password'] },
      'invalid_client_metadata',
    ],
  ])('refuses %s in the form of OAuth', async (_, body, error) => {
    const answer = await gateway.call('POST', '/oauth/register', { body });
    expect([answer.status, answer.body]).toEqual([400, { error, error_description: expect.any(String) }]);
  });

  it('of one address ends for an hour after 60, and a client that nobody uses after a day', async () => {
    const send = () =>
      gateway.call('POST', '/oauth/register', { ip: '10.9.9.9', body: { redirect_uris: [oauthRedirect] } });
    const first = await send();
    for (let n = 1; n < 60; n += 1) await send();
    const refused = await send();
    expect([refused.status, refused.body]).toEqual([
      429,
      { error: 'temporarily_unavailable', error_description: expect.any(String) },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    clock = new Date(Date.now() + dayMs + 1_000);
    const { cookie } = maya;
    const { status } = await ask(cookie, 'GET', authorizationOf(first.body.client_id).search);
    expect(status).toBe(400);
  });

  it('of a client beyond 2,000 forgets the oldest that nobody used, unless it is younger than 10 minutes', async () => {
    const send = () => gateway.call('POST', '/oauth/register', { body: { redirect_uris: [oauthRedirect] } });
    const idsLike = async (pattern: string): Promise<string[]> => {
      const { rows } = await gateway.admin.query(
        'select id from gateway.oauth_clients where id like $1 order by created_at',
        [pattern],
      );
      return rows.map(({ id }) => id);
    };
    try {
      const fill = (kind: string, count: string, age: string, lifetime: string) =>
        gateway.admin.query(`insert into gateway.oauth_clients (id, name, redirect_uris, created_at, expires_at)
          select 'client_${kind}_' || n, '', '{}', at, at + interval '${lifetime}'
          from generate_series(1, ${count}) n, lateral (select now() - interval '${age}' - n * interval '1 s') t (at)`);
      await fill('used', '5', '2 hours', '90 days');
      await fill('unused', '2000 - (select count(*) from gateway.oauth_clients)', '11 minutes', '1 day');
      const unused = await idsLike('client_unused_%');
      expect((await send()).status).toBe(201);
      expect(await idsLike('client_unused_%')).toEqual(unused.slice(1));
      expect(await idsLike('client_used_%')).toHaveLength(5);
      expect(await idsLike('%')).toHaveLength(2_000);
      await gateway.admin.query(
        `update gateway.oauth_clients set created_at = now(), expires_at = now() + interval '1 day'
           where expires_at < now() + interval '2 days'`,
      );
      const refused = await send();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
      expect(refused.body.error).toBe('temporarily_unavailable');
    } finally {
      await gateway.admin.query("delete from gateway.oauth_clients where id like 'client_%used_%'");
    }
  });
});
