/**
 * The OAuth flow of `POST /mcp`: official clients from the first 401 to the result of a
 * tool, and what is refused.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type Answer, apiOf } from '../../kit/clients/api.ts';
import {
  connectMcpByOAuth,
  type Generation,
  generations,
  type McpClient,
  type OAuthState,
  oauthRedirect,
  recordOf,
} from '../../kit/clients/mcp.ts';

export type OAuthFigures = {
  /** Generations that called a tool with a token of their own flow. */
  flows: number;
  /** Requests and uses of a token, right and wrong ones, that ended as specified. */
  checks: number;
  /** One line for each flow or check that was not as specified. */
  complaints: string[];
};

type Person = { email: string; password: string };
type Decision = 'allow' | 'deny';
type Changes = Record<string, string | null>;

type Ground = {
  gatewayUrl: string;
  /** Reads the request as the console's page does, and sends the person's decision. @returns the way back */
  decide(authorization: URL, decision?: Decision): Promise<URL>;
  /** What the console's page shows of the request. */
  show(authorization: URL): Promise<Answer<Shown>>;
};
type Shown = { workspace: { id: string }; scopes: string[]; refusal: { redirectTo: string } | null };

const own = { 'sec-fetch-site': 'same-origin' };

async function signIn(gatewayUrl: string, { email, password }: Person): Promise<Ground> {
  const api = apiOf(`${gatewayUrl}/console/api/v1/auth`);
  const signedIn = await api('POST', '/sign-in', { body: { email, password }, headers: own });
  if (signedIn.error) throw new Error(signedIn.error.message);
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const headers = { ...own, cookie };
  const show: Ground['show'] = ({ search }) => api('GET', `/authorizations${search}`, { headers });
  return {
    gatewayUrl,
    show,
    async decide(authorization, decision = 'allow') {
      const { data, error } = await show(authorization);
      if (error) throw new Error(error.message);
      const body = {
        request: Object.fromEntries(authorization.searchParams),
        workspaceId: data.workspace.id,
        decision,
        scopes: data.scopes,
      };
      const decided = await api<{ redirectTo: string }>('POST', '/authorizations', { body, headers });
      if (decided.error) throw new Error(decided.error.message);
      return new URL(decided.data.redirectTo);
    },
  };
}

/** @throws Error unless the person is asked once and the token opens the tools */
async function connectAndCall(ground: Ground, generation: Generation): Promise<void> {
  const { gatewayUrl } = ground;
  let asked = 0;
  const state: OAuthState = {};
  const decide = (authorization: URL) => {
    asked += 1;
    return ground.decide(authorization);
  };
  const client = await connectMcpByOAuth(generation, gatewayUrl, null, decide, state);
  await callCredits(client);
  await client.close();
  if (asked !== 1) throw new Error(`the person was asked ${asked} times`);
  // A token that is kept opens the next connection without a person.
  const again = await connectMcpByOAuth(generation, gatewayUrl, null, decide, state);
  await callCredits(again);
  await again.close();
  if (asked !== 1) throw new Error('the kept token was not used');
  if (state.tokens?.scope.includes('content:approve')) throw new Error('the token may approve');
}

async function callCredits(client: McpClient): Promise<void> {
  const { balance } = recordOf<{ balance: number }>(
    await client.callTool({ name: 'get_credits', arguments: {} }),
  );
  if (typeof balance !== 'number') throw new Error('get_credits returned no balance');
}

const verifier = randomBytes(32).toString('base64url');

function changed(parameters: Record<string, string>, changes: Changes): URLSearchParams {
  const all = Object.entries({ ...parameters, ...changes });
  return new URLSearchParams(all.filter((pair): pair is [string, string] => pair[1] !== null));
}

function authorizationOf({ gatewayUrl }: Ground, clientId: string, changes: Changes = {}): URL {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: oauthRedirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 's1',
    resource: `${gatewayUrl}/mcp`,
  };
  return new URL(`${gatewayUrl}/console/authorize?${changed(parameters, changes)}`);
}

/** The client's id, or the error code of the refusal. */
async function register({ gatewayUrl }: Ground, redirect = oauthRedirect): Promise<string> {
  const body = { redirect_uris: [redirect], token_endpoint_auth_method: 'none' };
  const { text } = await apiOf(gatewayUrl)('POST', '/oauth/register', { body });
  const { client_id, error } = JSON.parse(text) as { client_id?: string; error: string };
  return client_id ?? error;
}

type Tokens = { access_token: string; refresh_token: string; error?: string };

async function askForTokens({ gatewayUrl }: Ground, form: URLSearchParams): Promise<Tokens> {
  const answer = await fetch(`${gatewayUrl}/oauth/token`, { method: 'POST', body: form });
  return (await answer.json()) as Tokens;
}

type Check = [what: string, seen: unknown, expected: unknown];

/** Wrong requests of a client, then a grant from its code to its end. */
async function check(ground: Ground): Promise<Check[]> {
  const { gatewayUrl } = ground;
  const resource = `${gatewayUrl}/mcp`;
  const clientId = await register(ground);
  const shownFor = async (changes: Changes) => {
    const { status, data } = await ground.show(authorizationOf(ground, clientId, changes));
    return data?.refusal ? new URL(data.refusal.redirectTo).searchParams.get('error') : status;
  };
  const denied = await ground.decide(authorizationOf(ground, clientId), 'deny');
  const code = (await ground.decide(authorizationOf(ground, clientId))).searchParams.get('code') ?? '';
  const grant = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: oauthRedirect,
    code_verifier: verifier,
    resource,
  };
  const exchange = (changes: Changes = {}) => askForTokens(ground, changed(grant, changes));
  const rows: Check[] = [
    ['no token', await callMcp(ground, null), 401],
    ['a redirect that is a script', await register(ground, 'javascript:alert(1)'), 'invalid_redirect_uri'],
    ['an unknown client', await shownFor({ client_id: 'client_x' }), 400],
    ['a redirect to another host', await shownFor({ redirect_uri: 'https://evil.example/callback' }), 400],
    ['no PKCE', await shownFor({ code_challenge: null }), 'invalid_request'],
    ['plain PKCE', await shownFor({ code_challenge_method: 'plain' }), 'invalid_request'],
    ['another resource', await shownFor({ resource: 'https://evil.example/mcp' }), 'invalid_target'],
    ['a scope of people alone', await shownFor({ scope: 'content:approve' }), 'invalid_scope'],
    ['a person who denies', denied.searchParams.get('error'), 'access_denied'],
    ['a wrong verifier', (await exchange({ code_verifier: 'a'.repeat(43) })).error, 'invalid_grant'],
    ['the code for another client', (await exchange({ client_id: 'client_x' })).error, 'invalid_grant'],
  ];
  const tokens = await exchange();
  const refresh = () =>
    askForTokens(
      ground,
      new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        client_id: clientId,
        resource,
      }),
    );
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  rows.push(
    ['the token at a tool', await callMcp(ground, tokens.access_token), 200],
    ['the token at the API', (await fetch(`${gatewayUrl}/api/v1/usage`, { headers })).status, 401],
  );
  const { access_token: next } = await refresh();
  rows.push(
    ['the token of a refresh', await callMcp(ground, next), 200],
    ['a token after its refresh', await callMcp(ground, tokens.access_token), 401],
    ['a refresh token used twice', (await refresh()).error, 'invalid_grant'],
    ['a token of the ended grant', await callMcp(ground, next), 401],
  );
  return rows;
}

/** The status of a call of a tool. */
async function callMcp({ gatewayUrl }: Ground, token: string | null): Promise<number> {
  const answer = await fetch(`${gatewayUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_credits', arguments: {} },
    }),
  });
  await answer.text();
  return answer.status;
}

/** Walks every flow and every check with the given person at the console's consent page. */
export async function walkOAuth(gatewayUrl: string, person: Person): Promise<OAuthFigures> {
  const ground = await signIn(gatewayUrl, person);
  const complaints: string[] = [];
  for (const generation of generations) {
    await connectAndCall(ground, generation).catch((error: Error) =>
      complaints.push(`OAuth of ${generation}: ${error.message}`),
    );
  }
  const flows = generations.length - complaints.length;
  const rows = await check(ground);
  for (const generation of generations) {
    let denied = 0;
    const denies = (authorization: URL) => {
      denied += 1;
      return ground.decide(authorization, 'deny');
    };
    const client = await connectMcpByOAuth(generation, gatewayUrl, null, denies).catch(() => null);
    rows.push([`${generation}, denied`, client === null ? denied : 'connected', 1]);
  }
  const wrong = rows.filter(([, seen, expected]) => seen !== expected);
  complaints.push(...wrong.map(([what, seen, expected]) => `${what}: ${seen} instead of ${expected}`));
  return { flows, checks: rows.length - wrong.length, complaints };
}
