/** A real OIDC issuer on loopback: discovery, a key set that can be rotated, tokens signed with it. */
import { createServer, type Server } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Pair = { kid: string } & Awaited<ReturnType<typeof generateKeyPair>>;

export type TestIssuer = {
  url: string;
  /** Number of requests per path. */
  asked: Record<string, number>;
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  /** Creates a new key and removes the old one from the set. */
  rotate(): Promise<void>;
  publicPem(): Promise<string>;
  /** Answers every request as given from now on; null restores normal answers. */
  failWith(status: number | 'silence' | null): void;
  /** Overrides fields of the discovery document. */
  discovery: Record<string, unknown>;
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
};

export async function startTestIssuer(): Promise<TestIssuer> {
  let pair = await newPair(1);
  let failure: number | 'silence' | null = null;
  const asked: Record<string, number> = {};
  const discovery: Record<string, unknown> = {};
  let server: Server;
  let port = 0;

  async function start(): Promise<void> {
    server = createServer(async (request, response) => {
      const path = request.url ?? '';
      asked[path] = (asked[path] ?? 0) + 1;
      if (failure === 'silence') return;
      if (failure !== null) return void response.writeHead(failure).end();
      if (path === '/.well-known/openid-configuration') {
        response.end(JSON.stringify({ issuer: url(), jwks_uri: `${url()}/keys`, ...discovery }));
      } else if (path === '/keys') {
        const jwk = await exportJWK(pair.publicKey);
        response.end(JSON.stringify({ keys: [{ ...jwk, kid: pair.kid, use: 'sig', alg: 'RS256' }] }));
      } else response.writeHead(404).end();
    });
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  }
  const url = () => `http://127.0.0.1:${port}`;
  await start();

  return {
    url: url(),
    asked,
    discovery,
    start,
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: pair.kid, typ: 'JWT', ...header })
        .sign(pair.privateKey),
    async rotate() {
      pair = await newPair(Number(pair.kid.slice(1)) + 1);
    },
    publicPem: () => exportSPKI(pair.publicKey),
    failWith(status) {
      failure = status;
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function newPair(number: number): Promise<Pair> {
  return { kid: `k${number}`, ...(await generateKeyPair('RS256', { extractable: true })) };
}
