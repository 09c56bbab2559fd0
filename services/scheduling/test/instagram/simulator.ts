/** Instagram's Login and content publishing, on a port of its own. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  accountOf,
  answerGraph,
  badToken,
  drawFault,
  enter,
  type GraphError,
  type InstagramAccount,
  type InstagramFault,
  type Operation,
  param,
  Refusal,
  type State,
  scopes,
} from './graph.ts';

export type InstagramSimulator = {
  url: string;
  account(username: string): InstagramAccount;
  setFaults(...faults: InstagramFault[]): void;
  /** A token of the account, as after a consent to everything. */
  tokenOf(username: string): string;
  /** Tokens are then a day old, and can be renewed. */
  ageTokens(): void;
  /** As after 24 hours. */
  expireContainers(): void;
  close(): Promise<void>;
};

export const instagramClient = { clientId: 'instagram-client', clientSecret: 'instagram-secret' };

const dayMs = 86_400_000;
const longSeconds = 60 * 86_400;
const unexpected: GraphError = { code: 2, message: 'An unexpected error has occurred.', status: 500 };

export async function startInstagram(): Promise<InstagramSimulator> {
  const state: State = {
    ...{ accounts: new Map(), codes: new Map(), grants: new Map(), containers: new Map(), faults: [] },
  };
  const server = createServer((request, reply) => {
    handle(state, request, reply).catch(error => reply.destroy(error as Error));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: username => accountOf(state, username),
    setFaults(...given) {
      state.faults = given.map(fault => ({ ...fault }));
    },
    tokenOf: username => issue(state, username, Object.values(scopes), longSeconds),
    ageTokens() {
      for (const grant of state.grants.values()) grant.issuedAt -= dayMs;
    },
    expireContainers() {
      for (const container of state.containers.values())
        if (container.status === 'FINISHED') container.status = 'EXPIRED';
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(state: State, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://instagram');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.method ?? '';
  const fields = method === 'POST' ? new URLSearchParams(String(Buffer.concat(chunks))) : searchParams;
  if (pathname === '/oauth/authorize') return authorize(state, fields, reply);
  const [, id = '', edge] = /^\/v\d+\.\d\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const operation = id === '' ? 'token' : operationOf(id, edge);
  const fault = drawFault(state, operation);
  if (fault && (await refusesByFault(fault, reply))) return;
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  try {
    const body =
      id !== ''
        ? answerGraph(state, { operation, method, id, token: bearer ?? fields.get('access_token'), fields })
        : pathname === '/oauth/access_token'
          ? exchangeCode(state, fields)
          : giveLongLived(state, pathname, fields);
    if (fault?.kind === 'accepted_answer_dropped') return void request.socket.destroy();
    if (fault?.kind === 'accepted_internal_error') return sendError(reply, unexpected);
    if (fault?.kind === 'accepted_then_slow') await delay(fault.delayMs, undefined, { ref: false });
    reply.writeHead('error_type' in body ? 400 : 200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(body));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendError(reply, error.error);
  }
}

function operationOf(id: string, edge: string | undefined): Operation {
  if (edge === 'content_publishing_limit') return 'limit';
  if (edge === 'media' || edge === 'media_publish' || edge === 'insights') return edge;
  return id === 'me' ? 'me' : 'status';
}

async function refusesByFault(fault: InstagramFault, reply: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'connection_dropped':
      reply.socket?.destroy();
      return true;
    case 'internal_error':
      sendError(reply, unexpected);
      return true;
    case 'garbage':
      reply.end('<html>Something went wr');
      return true;
    case 'refused':
      sendError(reply, fault.error ?? unexpected);
      return true;
    case 'slow':
      await delay(fault.delayMs, undefined, { ref: false });
      return false;
    default:
      return false;
  }
}

function sendError(reply: ServerResponse, { code, subcode, message, status = 400 }: GraphError): void {
  const is_transient = status >= 500;
  const error = {
    message,
    type: 'OAuthException',
    code,
    error_subcode: subcode,
    is_transient,
    fbtrace_id: 'A',
  };
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

function authorize(state: State, query: URLSearchParams, reply: ServerResponse): void {
  const asked = (query.get('scope') ?? '').split(',');
  const redirectUri = query.get('redirect_uri') ?? '';
  const isClient = query.get('client_id') === instagramClient.clientId;
  const areKnown = asked.every(scope => Object.values(scopes).includes(scope));
  if (!isClient || !areKnown || query.get('response_type') !== 'code' || !URL.canParse(redirectUri)) {
    reply.writeHead(400).end('Invalid request');
    return;
  }
  const code = randomBytes(12).toString('hex');
  const granted = query.get('granted')?.split(',') ?? asked;
  state.codes.set(code, { username: query.get('as') ?? 'maya', redirectUri, scopes: granted });
  const back = new URL(redirectUri);
  back.searchParams.set('code', code);
  back.searchParams.set('state', query.get('state') ?? '');
  reply.writeHead(302, { location: `${back}#_` }).end();
}

/** A code works once, for the address that it was sent to. */
function exchangeCode(state: State, fields: URLSearchParams): object {
  const code = fields.get('code') ?? '';
  const given = state.codes.get(code);
  state.codes.delete(code);
  const isClient =
    fields.get('client_id') === instagramClient.clientId &&
    fields.get('client_secret') === instagramClient.clientSecret;
  const isRight = isClient && fields.get('redirect_uri') === given?.redirectUri;
  if (!given || !isRight || fields.get('grant_type') !== 'authorization_code')
    return { error_type: 'OAuthException', code: 400, error_message: 'Invalid authorization code' };
  const { username, scopes: granted } = given;
  const access_token = issue(state, username, granted, 3_600);
  return { data: [{ access_token, user_id: accountOf(state, username).id, permissions: granted.join(',') }] };
}

/** @throws Refusal */
function giveLongLived(state: State, path: string, query: URLSearchParams): object {
  const { username, scopes: granted, issuedAt } = enter(state, query.get('access_token'), scopes.basic);
  const isExchange = path === '/access_token';
  if (query.get('grant_type') !== (isExchange ? 'ig_exchange_token' : 'ig_refresh_token'))
    throw new Refusal(param('grant_type'));
  if (isExchange && query.get('client_secret') !== instagramClient.clientSecret) throw new Refusal(badToken);
  if (!isExchange && Date.now() - issuedAt < dayMs)
    throw new Refusal({ code: 100, message: 'The token is younger than 24 hours' });
  const access_token = issue(state, username, granted, longSeconds);
  return { access_token, token_type: 'bearer', expires_in: longSeconds };
}

function issue({ grants }: State, username: string, granted: string[], seconds: number): string {
  const token = `IGAA${randomBytes(16).toString('hex')}`;
  const issuedAt = Date.now();
  grants.set(token, { username, scopes: granted, issuedAt, expiresAt: issuedAt + seconds * 1_000 });
  return token;
}
