/**
 * A real OpenID provider on loopback, with its own lockfile (`tests/oidc-provider`), and a browser's cookies.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportJWK, generateKeyPair } from 'jose';
import { ensureInstalled } from '../../../tools/install.mjs';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'tests/oidc-provider');

export type Person = { sub: string; email?: string; email_verified?: boolean; name?: string };

export type TestProvider = {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Whoever comes next is this person; null: the person cancels. */
  person: Person | null;
  /** Follows a sign-in from its first redirect to the address that the provider sends the browser back to. */
  visit(url: string): Promise<URL>;
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
};

type Provider = {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: Record<string, unknown>,
  ): Promise<void>;
};

/** What the provider gives to whoever decides on consent. */
type Consent = {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: {
      Grant: new (of: {
        clientId: string;
        accountId: string;
      }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
  };
};

/** @param redirectUri of the one client */
export async function startTestProvider(redirectUri: string): Promise<TestProvider> {
  await ensureInstalled({
    dir: folder,
    lock: join(root, '.cache/install-oidc-provider.lock'),
    what: 'the OpenID provider of the sign-in tests',
    env: { ...process.env, npm_config_ignore_scripts: 'true' },
    say: () => {},
  });
  const file = pathToFileURL(join(folder, 'node_modules/oidc-provider/lib/index.js')).href;
  const { default: OpenIdProvider } = await import(file);
  const people = new Map<string, Person>();
  let provider: Provider;
  let server: Server;

  const listen = async (port: number): Promise<number> => {
    server = createServer((request, response) => {
      if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
      const { person } = test;
      const result = person
        ? { login: { accountId: person.sub } }
        : { error: 'access_denied', error_description: 'cancelled' };
      if (person) people.set(person.sub, person);
      provider.interactionFinished(request, response, result).catch(error => response.destroy(error));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as { port: number }).port;
  };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const port = await listen(0);
  const url = `http://127.0.0.1:${port}`;
  const test: TestProvider = {
    url,
    clientId: 'hookline',
    clientSecret: 'a-secret-with-odd-characters:%+/&',
    person: null,
    async visit(from) {
      const jar = new Map<string, string>();
      for (let at = new URL(from), steps = 0; ; steps += 1) {
        if (at.origin !== url) return at;
        if (steps > 10) throw new Error(`the provider sends on and on: ${at}`);
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
        keepCookies(jar, response.headers);
        at = new URL(location, at);
      }
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async start() {
      await listen(port);
    },
  };
  provider = new OpenIdProvider(url, {
    clients: [{ client_id: test.clientId, client_secret: test.clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Given, so that the provider does not warn about its own.
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }: Consent) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  return test;
}

/** Keeps what an answer sets, and drops what it ends. */
export function keepCookies(jar: Map<string, string>, headers: Headers): void {
  for (const line of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}
