/** The public interface from a client's point of view. */
import { randomBytes } from 'node:crypto';
import { scopes } from '@hookline/shared/contracts/scopes';
import { hourMs } from '@hookline/shared/kernel/durations';
import { controlHeaders } from '@hookline/testing/simulator-controls';

export type Answer<T> = {
  status: number;
  headers: Headers;
  text: string;
  data: T;
  error: { code: string; message: string; requestId: string } | undefined;
};

export type Api = <T = Record<string, unknown>>(
  method: string,
  path: string,
  options?: { token?: string | undefined; body?: unknown; headers?: Record<string, string> },
) => Promise<Answer<T>>;

export function apiOf(baseUrl: string): Api {
  return async (method, path, options = {}) => {
    const isForm = options.body instanceof FormData;
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: isForm ? (options.body as FormData) : JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const { data, error } = isJson ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, text, data, error };
  };
}

export type Client = { api: Api; session: string; key: string; email: string; password: string };

/** A new user with a key of every scope. */
export async function signUp(baseUrl: string): Promise<Client> {
  const api = apiOf(baseUrl);
  const email = `e2e-${randomBytes(5).toString('hex')}@example.com`;
  const password = 'a long enough password';
  const signedUp = await api<{ session: { token: string } }>('POST', '/auth/sign-up', {
    body: { email, password },
  });
  if (signedUp.error) throw new Error(signedUp.error.message);
  const session = signedUp.data.session.token;
  const minted = await api<{ key: string }>('POST', '/keys', {
    token: session,
    body: { name: 'e2e', scopes },
  });
  if (minted.error) throw new Error(minted.error.message);
  return { api, session, key: minted.data.key, email, password };
}

export type Prepared = Client & { appId: string; accountId: string };

/** Imports an app and connects a TikTok account as the given fake creator. */
export async function prepareAccount(baseUrl: string, creator: string): Promise<Prepared> {
  const client = await signUp(baseUrl);
  const { api, key, session } = client;
  const app = await api<{ id: string }>('POST', '/apps', {
    token: key,
    body: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
  });
  if (app.error) throw new Error(app.error.message);
  const accountId = await connectCreator({ api, session }, creator);
  return { ...client, appId: app.data.id, accountId };
}

/** Connects the fake creator as a person with a browser does. @returns the account's id */
export async function connectCreator(
  { api, session }: Pick<Client, 'api' | 'session'>,
  creator: string,
  body: { appId?: string } = {},
): Promise<string> {
  const begun = await api<{ authorizeUrl: string }>('POST', '/accounts/tiktok/connect', {
    token: session,
    body,
  });
  if (begun.error) throw new Error(begun.error.message);
  const headers = { accept: 'application/json' };
  const page = await fetch(`${begun.data.authorizeUrl}&as=${creator}`, { headers });
  const text = await page.text();
  if (!page.ok) throw new Error(`the callback answered ${page.status}: ${text.slice(0, 300)}`);
  const { id, state } = (JSON.parse(text) as { data: { id?: string; state?: string } }).data;
  // A replica of the version before connects at the callback, and does not know how to finish.
  if (id !== undefined) return id;
  const finish = () =>
    api<{ id: string }>('POST', '/accounts/tiktok/finish', { token: session, body: { state } });
  let finished = await finish();
  for (let tries = 1; tries < 10 && finished.error?.code === 'not_found'; tries += 1)
    finished = await finish();
  if (finished.error) throw new Error(finished.error.message);
  return finished.data.id;
}

export type Content = {
  id: string;
  status: string;
  approvalStatus: string;
  costCharged: number;
  images: { index: number; url: string; width: number; height: number; bytes: number; contentType: string }[];
  result: { hook: string; bodySlides: { text: string }[] };
  writer: { kind: string; name?: string };
};

/** A quote-card deck, approved. */
export async function approvedDeck({ api, key, appId }: Prepared): Promise<Content> {
  const made = await api<Content>('POST', '/content', {
    token: key,
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
  });
  if (made.error) throw new Error(`${made.error.code}: ${made.error.message}`);
  const approved = await api<Content>('POST', `/content/${made.data.id}/approve`, { token: key });
  if (approved.error) throw new Error(`${approved.error.code}: ${approved.error.message}`);
  return approved.data;
}

/** An automation of the client's app and account, whose slot comes up in 6 hours. @returns its id */
export async function newAutomation(client: Prepared, change: object = {}): Promise<string> {
  const { api, key, appId, accountId } = client;
  const time = new Date(Date.now() + 6 * hourMs).toISOString().slice(11, 16);
  const postingTimes = [{ time, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }];
  const made = await api<{ id: string }>('POST', '/automations', {
    token: key,
    body: { appId, tiktokAccountId: accountId, format: 'slideshow', postingTimes, ...change },
  });
  if (made.error) throw new Error(`${made.error.code}: ${made.error.message}`);
  return made.data.id;
}

export type Schedule = {
  id: string;
  status: string;
  outcome: string | null;
  platformPostUrl: string | null;
  failure: { code: string; message: string } | null;
};

export type PlatformPost = { postId: string; account: string; mode: string; imageDigests: string[] };

/** Number of posts that the simulated platform received: the independent count. */
export async function postsAtPlatform(simulatorsUrl: string, account: string): Promise<PlatformPost[]> {
  const response = await fetch(`${simulatorsUrl}/_control/posts?account=${account}`, {
    headers: controlHeaders,
  });
  return (await response.json()) as PlatformPost[];
}

export async function putFaults(simulatorsUrl: string, faults: unknown[]): Promise<void> {
  const response = await fetch(`${simulatorsUrl}/_control/faults`, {
    method: 'PUT',
    headers: controlHeaders,
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(`the faults were refused: ${await response.text()}`);
}

/** An account of the simulated TikTok that refuses every post. */
export async function putShutCreator(simulatorsUrl: string, username: string): Promise<void> {
  const response = await fetch(`${simulatorsUrl}/_control/tiktok/accounts/${username}`, {
    method: 'PUT',
    headers: controlHeaders,
    body: JSON.stringify({ canPost: false }),
  });
  if (!response.ok) throw new Error(`the account was refused: ${await response.text()}`);
}
