import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { Role, Scope } from '@hookline/shared/contracts/scopes';
import { type Caller, lastingCaller } from '@hookline/shared/http';
import type { EdgeDeps } from '../../edge-deps.ts';
import type { KeyRecord } from '../../identity/keys/record.ts';
import type { SessionRow } from '../../identity/sessions/record.ts';
import { scopesOfRole } from '../../identity/standing/roles.rules.ts';
import { frozenText } from '../../identity/standing/workspace.rules.ts';
import type { PublicRoute } from '../../public-api.ts';

export function authorizeKey(route: PublicRoute, key: KeyRecord): Caller {
  requireScopes(route, key.scopes, 'This API key');
  refuseFrozen(route, key.deletesAtMs);
  return callers.get(key) ?? callerOf(key);
}

/** One record serves the requests of 5 s. */
const callers = new WeakMap<KeyRecord, Caller>();

function callerOf(key: KeyRecord): Caller {
  const { accountId, keyId, scopes, approvalPolicy, createdBy } = key;
  const actor = { ...key.actor, creatorId: createdBy?.userId ?? null };
  const caller = lastingCaller({ accountId, keyId, userId: null, scopes, approvalPolicy, actor });
  callers.set(key, caller);
  return caller;
}

/** A caller with a cookie needs the scopes of the route too. @throws ApiError as `authorizeKey` */
export function authorizeSession(route: PublicRoute, session: SessionRow): Caller {
  if (route.roles && !route.roles.includes(session.role)) throw refuseRole(session.role, route.roles);
  refuseFrozen(route, session.deletesAtMs);
  const { accountId, userId, approvalPolicy, actor, role } = session;
  const scopes = scopesOfRole(role);
  if (route.auth === 'cookie') requireScopes(route, scopes, `Your role, ${role},`);
  return { accountId, keyId: null, userId, scopes, approvalPolicy, actor: { ...actor, creatorId: null } };
}

export function refuseUnverified(
  { requiresVerification, mailer }: Pick<EdgeDeps, 'requiresVerification' | 'mailer'>,
  { contract }: PublicRoute,
  { isVerified }: SessionRow,
): void {
  if (isVerified || !requiresVerification || contract?.path.startsWith('/auth/')) return;
  throw new ApiError(
    'missing_scope',
    `Your e-mail address is not proven yet: ${mailer ? 'open the link that was mailed to you.' : 'nobody can be mailed a link here before SMTP_URL is set.'}`,
  );
}

function requireScopes({ scopes, contract }: PublicRoute, held: readonly Scope[], who: string): void {
  const missing = scopes.filter(scope => !held.includes(scope));
  if (missing.length < (contract?.anyScope ? scopes.length : 1)) return;
  throw new ApiError(
    'missing_scope',
    `${who} lacks the scope ${missing.join(contract?.anyScope ? ' or ' : ' and ')}.`,
  );
}

/** A workspace whose deletion was requested answers reads, and what one needs to leave or to stay. */
function refuseFrozen({ method, contract }: PublicRoute, deletesAtMs: number | null): void {
  if (deletesAtMs === null || method === 'GET' || contract?.whileFrozen) return;
  throw invalidRequest(frozenText(deletesAtMs), { status: 409 });
}

function refuseRole(role: Role, roles: readonly Role[]): ApiError {
  const needed = roles.map(name => `an ${name}`.replace(/^an (?=v)/, 'a ')).join(' or ');
  return new ApiError(
    'missing_scope',
    `This needs the role of ${needed} in the workspace; yours is ${role}.`,
  );
}
