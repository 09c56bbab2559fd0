import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import { newId } from '@hookline/shared/kernel';
import { sha256 } from '@hookline/shared/kernel/sha256';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { findOpen, joinWorkspace, reportMember } from '../invitations/accept.ts';
import type { ApiKeyRow } from '../keys/record.ts';
import { forgetKeys } from '../keys/revoke.ts';
import { deleteLinks } from '../links/queries.ts';
import { auditAttempt } from '../passwords/audit-attempt.ts';
import { replacePassword } from '../passwords/set.ts';
import { auditSignUp, openSession, type SignedIn, type SignInContext } from '../sessions/start.ts';
import { actorOf } from '../standing/record.ts';
import { findUserByEmail } from '../users/queries.ts';
import {
  findOidcUser,
  hasIdentity,
  insertOidcUser,
  markStateUsed,
  updateOidcUser,
} from '../users/queries-oidc.ts';
import type { OidcUserRow, UserRow } from '../users/record.ts';
import type { OidcIdentity, OidcSignIn } from './issuer.ts';
import { attemptLifetimeMs } from './journey.rules.ts';
import { isSamePerson } from './match.rules.ts';
import type { OidcAttempt } from './record.ts';

type Verified = OidcIdentity & { email: string };

export async function beginOidcSignIn(
  { oidc, now }: Pick<IdentityDeps, 'oidc' | 'now'>,
  wanted: Pick<OidcAttempt, 'returnTo' | 'invitation'>,
): Promise<{ url: string; attempt: OidcAttempt }> {
  const { url, secrets } = await requireSignIn(oidc.signIn).begin();
  return { url, attempt: { ...secrets, ...wanted, expiresAtMs: now().getTime() + attemptLifetimeMs } };
}

function requireSignIn(oidc: OidcSignIn | null): OidcSignIn {
  if (!oidc) throw new ApiError('not_found', 'No such path.');
  return oidc;
}

/**
 * Signs in whoever the issuer says has come back. A person is known by issuer and subject; a new one may
 * be linked to the user who signed up with the same address (`isSamePerson`), needs an invitation, or may
 * sign up where anybody may.
 */
export async function signInWithOidc(
  deps: IdentityDeps,
  { query, attempt: { invitation, expiresAtMs, ...secrets } }: { query: string; attempt: OidcAttempt },
  from: From,
): Promise<SignedIn> {
  const oidc = requireSignIn(deps.oidc.signIn);
  if (new URLSearchParams(query).get('state') !== secrets.state) {
    throw invalidRequest('This is not the sign-in that began in this browser: begin again.');
  }
  const stateHash = sha256(secrets.state);
  const expiresAt = new Date(expiresAtMs);
  if (!(await markStateUsed(deps.db, { stateHash, expiresAt, now: deps.now() }))) {
    throw invalidRequest('This sign-in was used already: begin again.');
  }
  const identity = await oidc.finish(query, secrets);
  const known = await findOidcUser(deps.db, identity.issuer, identity.subject);
  if (!isVerified(identity)) {
    if (known) {
      const detail = { method: 'oidc', reason: 'email_not_verified' } as const;
      await auditAttempt(deps, { userId: known.id, ...detail }, from);
    }
    throw new ApiError(
      'missing_scope',
      `You were not signed in: ${oidc.name} has not verified your e-mail address.`,
    );
  }
  const invited = invitation === null ? null : (await findOpen(deps, invitation)).invitation;
  const match = known ? null : await findMatch(deps, identity);
  if (!known && !match) admitNew(deps, identity, { isInvited: invited !== null, from });
  const now = deps.now();
  const { signedIn, revoked } = await deps.db.transaction(async tx => {
    const context = { tx, from, now };
    const user = known
      ? await followClaims(context, known, identity)
      : await makePerson(context, identity, { match, ownsWorkspace: invited === null && !match });
    const keys = match ? await takeOver(context, match) : [];
    const accountId = invited?.accountId ?? user.accountId;
    if (invited) await joinWorkspace(context, invited, user);
    if (!known && !match) await auditSignUp(context, user, { method: 'oidc', accountId });
    return { signedIn: await openSession(context, user, { method: 'oidc', accountId }), revoked: keys };
  });
  await forgetKeys(deps, revoked);
  if (invited) reportMember(deps, invited.accountId, signedIn.user.id);
  return signedIn;
}

function isVerified(identity: OidcIdentity): identity is Verified {
  return identity.email !== null && identity.isEmailVerified;
}

async function findMatch(
  { db, oidc }: Pick<IdentityDeps, 'db' | 'oidc'>,
  identity: Verified,
): Promise<UserRow | null> {
  const user = await findUserByEmail(db, identity.email);
  if (!user || !isSamePerson(identity, user, oidc.emailDomains)) return null;
  // Another identity of the issuer signs that user in: the address has changed hands.
  return (await hasIdentity(db, user.id)) ? null : user;
}

function admitNew(
  { signUps, oidc }: Pick<IdentityDeps, 'signUps' | 'oidc'>,
  { email }: Verified,
  { isInvited, from }: { isInvited: boolean; from: From },
): void {
  if (signUps.openTo !== 'open' && !isInvited) {
    throw new ApiError(
      'missing_scope',
      `Nobody has signed in here as ${email} of ${oidc.signIn?.name} before. Ask an owner of a workspace for an invitation, and open its link.`,
    );
  }
  signUps.count(from.address);
}

/** Ends whatever opened the account of the user before the issuer did: somebody else may have set it up. */
async function takeOver(
  { tx, from: { address, requestId }, now }: SignInContext,
  user: UserRow,
): Promise<ApiKeyRow[]> {
  await deleteLinks(tx, user.id, 'email_verification');
  const ended = { userId: user.id, passwordHash: null, exceptSession: null, withKeys: true };
  const by = { actor: actorOf(user), address, requestId };
  return (await replacePassword({ tx, by, now }, ended)).revoked;
}

async function makePerson(
  { tx, now }: SignInContext,
  { issuer, subject, email, name }: Verified,
  { match, ownsWorkspace }: { match: UserRow | null; ownsWorkspace: boolean },
): Promise<OidcUserRow> {
  await insertOidcUser(tx, {
    issuer,
    subject,
    email,
    name,
    ownsWorkspace,
    now,
    id: newId('user', now.getTime()),
    accountId: newId('acct', now.getTime()),
    linkedUserId: match?.id ?? null,
  });
  const made = await findOidcUser(tx, issuer, subject);
  // Another identity was linked to that user in the same moment.
  if (!made) throw invalidRequest('This address was just linked to another person: begin again.');
  return made;
}

async function followClaims(
  { tx, now }: SignInContext,
  known: OidcUserRow,
  { email, name: given }: Verified,
): Promise<OidcUserRow> {
  const name = given ?? known.name;
  const isSame = email === known.email && email === known.provenEmail && name === known.name;
  if (known.isLinked || isSame) return known;
  await updateOidcUser(tx, { id: known.id, email, provenEmail: email, name, now });
  return { ...known, email, provenEmail: email, name, updatedAt: now };
}
