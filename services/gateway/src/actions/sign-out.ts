import { type ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { GatewayDeps } from '../deps.ts';
import { deleteSession } from '../queries/sessions.ts';
import type { SessionRow } from '../records/session.ts';

/**
 * Ends a session.
 * @throws ApiError `invalid_request` for a token of the OIDC issuer, which only the issuer ends.
 */
export async function signOut({ db }: Pick<GatewayDeps, 'db'>, session: SessionRow): Promise<void> {
  if (session.isOidc) throw notOursToEnd(session.expiresAt);
  await deleteSession(db, session.id);
}

/** The token stays valid until it expires, so `deleted: true` would be wrong (API-11). */
function notOursToEnd(expiresAt: Date): ApiError {
  return invalidRequest(
    `This session is a token of the OIDC issuer and cannot be ended here: sign out at the issuer and drop the token, which is accepted until ${expiresAt.toISOString()}.`,
  );
}
