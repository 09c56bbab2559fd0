/**
 * The public API on one page: every path that the gateway answers, who may call it, which limit it counts
 * against, and which service owns it. The rows under `/api/v1` are built from the contracts that the services
 * validate with.
 */
import { allRoutes, passkeyRoutes } from '@hookline/shared/contracts/all-routes';
import type { NamedRoute } from '@hookline/shared/contracts/route';
import type { Role, Scope, ServiceName } from '@hookline/shared/contracts/scopes';

export const apiRoot = '/api/v1';
/** The same routes for a browser with a session in a cookie. */
export const consoleRoot = '/console/api/v1';

export type PublicRoute = {
  method: NamedRoute['method'];
  /** Callers see this path, parameters as `{id}`. `/console/*` leaves out `/console/api`. */
  path: string;
  service: ServiceName;
  auth: NamedRoute['auth'] | 'cookie';
  scopes: readonly Scope[];
  /** Null allows every role. */
  roles: readonly Role[] | null;
  /**
   * The IP window it counts in: the API's (`LIMIT_PER_IP`) or the wider one of everything else. `platform`:
   * only refused requests count, because all posts of all accounts are pulled and reported through few
   * addresses.
   */
  ipWindow: 'api' | 'other' | 'platform';
  countsAsContent: boolean;
  needsIdempotencyKey: boolean;
  /**
   * Answers accepted from the owner. `envelope`: only the success or error envelope. `page`: also a
   * page, including for errors (the OAuth callback). `bytes`: anything, but errors are envelopes.
   */
  answers: 'envelope' | 'page' | 'bytes';
  /** A route under `consoleRoot` is not in the OpenAPI document. */
  isConsole: boolean;
  /** The contract, for routes under `/api/v1` and `/console/api/v1`. */
  contract: NamedRoute | null;
};

const open = {
  service: 'gateway',
  auth: 'none',
  scopes: [],
  roles: null,
  countsAsContent: false,
  needsIdempotencyKey: false,
  isConsole: false,
  contract: null,
} as const;
const other = { ...open, ipWindow: 'other' } as const;
/** Open to any holder of an attempt's token of 192 bits, or to the signer of the body. */
const platform = { ...open, service: 'scheduling', ipWindow: 'platform' } as const;

const browser = { ...open, auth: 'cookie', ipWindow: 'api' } as const;
/** Counted as the API is. OAuth clients prove what they may do by what they send. */
const client = { ...open, ipWindow: 'api' } as const;

/** Paths without a contract. The services receive them unchanged. */
const otherRoutes: readonly PublicRoute[] = [
  { ...other, method: 'GET', path: '/media/images/{id}', service: 'content', answers: 'bytes' },
  { ...other, method: 'GET', path: '/media/exports/{id}', answers: 'bytes' },
  { ...other, method: 'GET', path: '/media/templates/{name}', service: 'content', answers: 'bytes' },
  { ...platform, method: 'GET', path: '/media/posts/{attempt}/{n}', answers: 'bytes' },
  { ...platform, method: 'POST', path: '/platform/tiktok/events', answers: 'bytes' },
  { ...other, method: 'GET', path: '/livez', answers: 'envelope' },
  { ...other, method: 'GET', path: '/readyz', answers: 'envelope' },
  { ...other, method: 'GET', path: '/', answers: 'page' },
  { ...other, method: 'GET', path: '/console', answers: 'page' },
  { ...other, method: 'GET', path: '/console/enter', answers: 'page' },
  { ...other, method: 'POST', path: '/console/enter', answers: 'page' },
  { ...other, method: 'GET', path: '/console/oidc/start', answers: 'page' },
  { ...other, method: 'GET', path: '/console/oidc/callback', answers: 'page' },
  { ...client, method: 'GET', path: `${consoleRoot}/sign-in-options`, answers: 'envelope' },
  { ...other, method: 'GET', path: '/console/*', answers: 'page' },
  // Its calls of the API are counted as those are.
  { ...other, method: 'POST', path: '/mcp', answers: 'page' },
  { ...browser, method: 'GET', path: `${consoleRoot}/stream`, answers: 'bytes' },
  { ...browser, method: 'GET', path: `${consoleRoot}/auth/authorizations`, answers: 'envelope' },
  { ...browser, method: 'POST', path: `${consoleRoot}/auth/authorizations`, answers: 'envelope' },
  { ...other, method: 'GET', path: '/.well-known/oauth-protected-resource', answers: 'page' },
  { ...other, method: 'GET', path: '/.well-known/oauth-protected-resource/mcp', answers: 'page' },
  { ...other, method: 'GET', path: '/.well-known/oauth-authorization-server', answers: 'page' },
  { ...client, method: 'POST', path: '/oauth/register', answers: 'page' },
  { ...client, method: 'POST', path: '/oauth/token', answers: 'page' },
  { ...client, method: 'POST', path: '/oauth/revoke', answers: 'page' },
  { ...other, method: 'GET', path: '/docs', answers: 'page' },
  { ...other, method: 'GET', path: '/docs.md', answers: 'page' },
  { ...other, method: 'GET', path: '/docs/style.css', answers: 'bytes' },
  { ...other, method: 'GET', path: '/docs/{page}', answers: 'page' },
  { ...other, method: 'GET', path: '/docs/api', answers: 'page' },
  { ...other, method: 'GET', path: '/docs/api.md', answers: 'page' },
  { ...other, method: 'GET', path: '/docs/api/{operation}', answers: 'page' },
  { ...other, method: 'GET', path: '/llms.txt', answers: 'page' },
  { ...other, method: 'GET', path: '/llms-full.txt', answers: 'page' },
  { ...other, method: 'GET', path: '/docs/redoc.js', answers: 'bytes' },
  { ...client, method: 'GET', path: `${apiRoot}/openapi.json`, answers: 'page' },
];

export const publicRoutes: readonly PublicRoute[] = [
  ...allRoutes.map(contract => toRoute(contract, false)),
  // The page to which TikTok sends a browser back has one address.
  ...allRoutes
    .filter(({ response, produces }) => response || produces)
    .map(contract => toRoute(contract, true)),
  ...passkeyRoutes.map(contract => toRoute(contract, true)),
  ...otherRoutes,
];

function toRoute(contract: NamedRoute, isConsole: boolean): PublicRoute {
  return {
    method: contract.method,
    path: (isConsole ? consoleRoot : apiRoot) + contract.path,
    service: contract.service,
    auth: isConsole && contract.auth !== 'none' ? 'cookie' : contract.auth,
    scopes: contract.scopes,
    roles: contract.roles ?? null,
    ipWindow: 'api',
    countsAsContent: contract.limit === 'content',
    needsIdempotencyKey: contract.idempotency === 'required',
    answers: contract.response ? 'envelope' : contract.produces ? 'bytes' : 'page',
    isConsole,
    contract,
  };
}

/** The path in the notation of the router. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

export function ownersPath(url: string): string {
  // HTTP also allows `GET http://host/path`.
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  for (const root of [apiRoot, consoleRoot]) {
    if (path.startsWith(`${root}/`)) return path.slice(root.length - '/v1'.length);
  }
  return path;
}

const byMethodAndPath = new Map<string, PublicRoute>(
  publicRoutes.map(route => [`${route.method} ${routerPath(route.path)}`, route] as const),
);

/** HEAD is answered for every path that has GET. */
export function findPublicRoute(method: string, routePath: string): PublicRoute | null {
  return byMethodAndPath.get(`${method === 'HEAD' ? 'GET' : method} ${routePath}`) ?? null;
}

const fixedPaths = new Set(publicRoutes.map(({ path }) => path).filter(path => !path.includes('{')));

const patterns = publicRoutes.map(({ method, path }) => ({
  method,
  path,
  // A parameter is any one segment, as the router sees it.
  pattern: new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+')
      .replace('*', '(?!api(?:/|$)).*')}$`,
  ),
}));

/**
 * Paths that the router takes for the route's `{id}`, because they have another method only. Such as
 * `/api/v1/content/batch`, which is never content with the id `batch`.
 */
export function fixedPathsWithin({ method, path }: PublicRoute): readonly string[] {
  if (!path.includes('{')) return [];
  const pattern = patterns.find(route => route.path === path)?.pattern;
  return [...fixedPaths].filter(fixed => pattern?.test(fixed) && !findPublicRoute(method, fixed));
}

export function methodsOf(path: string): string[] {
  const matches = patterns.filter(route =>
    fixedPaths.has(path) ? route.path === path : route.pattern.test(path),
  );
  const found = matches.map(({ method }) => method);
  return [...new Set(found.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}
