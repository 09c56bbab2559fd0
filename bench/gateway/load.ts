/**
 * The requests of the gateway bench: 500 keys in 25 workspaces, and 6,000 client addresses as reported by a
 * trusted proxy, so that the limit per address is the product's own (300 a minute). The limit per key is
 * raised to 1,000,000 a minute, because no machine could mint as many keys as the load would need (D-20: 120
 * a minute and key). A workspace has four posts in flight: one alone would measure its queue.
 */
import type { LoadRequest } from '../harness/wrk.ts';

const workspaces = 25;
const keysOfWorkspace = 20;
const addressesMax = 6_000;

export type Loads = { get: LoadRequest[]; post: LoadRequest[] };

/** Signs up at the gateway and mints the keys there, as a user would. */
export async function prepareLoads(gatewayUrl: string): Promise<Loads> {
  const tokens: string[] = [];
  for (let index = 0; index < workspaces; index += 1) tokens.push(await signUp(gatewayUrl, index));
  const keys: string[] = [];
  for (let index = 0; index < workspaces * keysOfWorkspace; index += 1) {
    const token = tokens[index % workspaces] as string;
    const minted = await call(gatewayUrl, '/keys', index + 1, token, {
      name: `bench ${index}`,
      scopes: ['content:read', 'schedules:write'],
    });
    keys.push((minted as { key: string }).key);
  }
  const headersOf = (index: number) => ({
    authorization: `Bearer ${keys[index % keys.length]}`,
    'x-forwarded-for': addressOf(index),
    'user-agent': 'bench/1',
    accept: 'application/json',
  });
  const indexes = Array.from({ length: addressesMax }, (_, index) => index);
  const body = JSON.stringify({ contentId: 'content_bench', note: 'x'.repeat(980) });
  return {
    get: indexes.map(index => ({
      method: 'GET',
      path: `/api/v1/content/content_${String(index).padStart(26, '0')}`,
      headers: headersOf(index),
    })),
    post: indexes.map(index => ({
      method: 'POST',
      path: '/api/v1/schedules',
      headers: {
        ...headersOf(index),
        'content-type': 'application/json',
        'idempotency-key': `bench-${String(index).padStart(26, '0')}`,
      },
      body,
    })),
  };
}

async function signUp(gatewayUrl: string, index: number): Promise<string> {
  const signedUp = await call(gatewayUrl, '/auth/sign-up', 1_000 + index, null, {
    email: `bench-${index}@example.com`,
    password: 'a long enough password',
  });
  return (signedUp as { session: { token: string } }).session.token;
}

function addressOf(index: number): string {
  return `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
}

async function call(gatewayUrl: string, path: string, index: number, token: string | null, body: unknown) {
  const response = await fetch(`${gatewayUrl}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': addressOf(100_000 + index),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (response.status !== 201)
    throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: unknown }).data;
}
