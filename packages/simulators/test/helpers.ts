import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hookline/testing/eventually';
import { jpeg } from '@hookline/testing/jpeg';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { defaultClientKey, defaultClientSecret, type SimulatorsOptions } from '../src/options.ts';
import { startSimulators } from '../src/simulators.ts';

export const redirectUri = 'http://localhost:9999/callback/';
export const verifier = 'v'.repeat(64);
export const allScopes = 'user.info.basic,user.info.profile,user.info.stats,video.upload,video.publish';

/** The type of JSON.parse: tests read answers without a schema. */
export type Json = ReturnType<typeof JSON.parse>;

export type Sim = {
  url: string;
  smtpPort: number;
  dataDir: string;
  close(): Promise<void>;
};

/** Fast simulators on a free port with their own data folder; `close` keeps the folder when it was given. */
export async function startSim(options: Partial<SimulatorsOptions> = {}): Promise<Sim> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'hookline-simulators-'));
  const fast = { pullDelayMs: 0, publishDelayMs: 0, moderationDelayMs: 0, webhookRetryMs: 20 };
  const started = await startSimulators({
    port: 0,
    controlToken,
    ...fast,
    scopes: allScopes.split(','),
    ...options,
    dataDir,
  });
  return {
    url: `http://127.0.0.1:${started.port}`,
    smtpPort: started.smtpPort,
    dataDir,
    close: async () => {
      await started.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type Answer = { status: number; text: string; body: Json; headers: Headers };

export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await answer.text();
  return { status: answer.status, text, body: jsonOrNull(text), headers: answer.headers } as Answer;
}

export function post(sim: Sim, path: string, token: string, body: unknown = {}): Promise<Answer> {
  return send('POST', `${sim.url}/tiktok/v2/post/publish/${path}`, body, {
    authorization: `Bearer ${token}`,
  });
}

export function control(sim: Sim, method: string, path: string, body?: unknown): Promise<Answer> {
  return send(method, `${sim.url}/_control/${path}`, body, controlHeaders);
}

export function authorizeUrl(sim: Sim, change: Record<string, string> = {}): string {
  const query = {
    client_key: defaultClientKey,
    response_type: 'code',
    scope: allScopes,
    redirect_uri: redirectUri,
    state: 'st&te',
    code_challenge: createHash('sha256').update(verifier).digest('hex'),
    code_challenge_method: 'S256',
    as: 'maya.makes',
    ...change,
  };
  return `${sim.url}/tiktok/v2/auth/authorize/?${new URLSearchParams(query)}`;
}

export async function consent(sim: Sim, change: Record<string, string> = {}): Promise<URLSearchParams> {
  const answer = await send('GET', authorizeUrl(sim, change));
  return new URL(answer.headers.get('location') ?? 'http://none/').searchParams;
}

export function tokenCall(sim: Sim, form: Record<string, string>, path = 'token'): Promise<Answer> {
  const all = { client_key: defaultClientKey, client_secret: defaultClientSecret, ...form };
  return send('POST', `${sim.url}/tiktok/v2/oauth/${path}/`, new URLSearchParams(all).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

export function exchange(sim: Sim, code: string, change: Record<string, string> = {}): Promise<Answer> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  return tokenCall(sim, { ...form, ...change });
}

/** An access token of the fake creator. */
export async function connect(sim: Sim, username = 'maya.makes', scope = allScopes): Promise<string> {
  const code = (await consent(sim, { as: username, scope })).get('code') ?? '';
  const { status, body } = await exchange(sim, code);
  if (!body.access_token) throw new Error(`no token for ${code}: ${status} ${JSON.stringify(body)}`);
  return body.access_token;
}

export function initBody(
  urls: string[],
  change: Record<string, unknown> = {},
  postInfo: Record<string, unknown> = {},
) {
  return {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    is_aigc: true,
    post_info: { title: 'Five habits', description: 'text #habits', privacy_level: 'SELF_ONLY', ...postInfo },
    source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: urls },
    ...change,
  };
}

export async function statusOf(sim: Sim, token: string, publishId: string): Promise<Json> {
  return (await post(sim, 'status/fetch/', token, { publish_id: publishId })).body.data;
}

/** Waits until a share is final, using the control route, which has no rate limit. */
export async function arrived(sim: Sim, count: number): Promise<Json[]> {
  return eventually(async () => {
    const posts = (await control(sim, 'GET', 'posts')).body;
    if (posts.length < count) throw new Error(`${posts.length} of ${count} posts arrived`);
    return posts;
  });
}

export type Listener = {
  url: string;
  requests: { url: string; body: string; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
};

/** A local server that records its requests. */
export async function listen(
  answer: (request: IncomingMessage, reply: ServerResponse) => void,
): Promise<Listener> {
  const requests: Listener['requests'] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      requests.push({ url: request.url ?? '', body, headers: request.headers });
      answer(request, reply);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Serves `/WxH-name.jpg` as a JPEG of that size, and every way in which a photo can be invalid. */
export function mediaServer(): Promise<Listener> {
  return listen((request, reply) => {
    const path = request.url ?? '';
    const size = /\/(\d+)x(\d+)/.exec(path);
    if (path.startsWith('/moved')) reply.writeHead(302, { location: '/1080x1350.jpg' }).end();
    else if (path.startsWith('/gone')) reply.writeHead(404).end();
    else if (path.startsWith('/png')) reply.end(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
    else if (path.startsWith('/torn')) reply.end(Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    else if (path.startsWith('/huge'))
      reply.end(Buffer.concat([jpeg(1080, 1350, path), Buffer.alloc(20_000_000)]));
    else if (path.startsWith('/webp')) reply.end(webp(1080, 1350));
    else if (size !== null) reply.end(jpeg(Number(size[1]), Number(size[2]), path));
    else reply.writeHead(404).end();
  });
}

function webp(width: number, height: number): Buffer {
  const frame = Buffer.alloc(10);
  frame.set([0x10, 0, 0, 0], 0);
  frame.writeUIntLE(width - 1, 4, 3);
  frame.writeUIntLE(height - 1, 7, 3);
  const chunk = Buffer.concat([Buffer.from('VP8X'), Buffer.from([10, 0, 0, 0]), frame]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(chunk.length + 4);
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), chunk]);
}

function jsonOrNull(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
