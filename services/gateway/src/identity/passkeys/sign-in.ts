import { ApiError } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { auditAttempt } from '../passwords/audit-attempt.ts';
import { knowAddress } from '../passwords/check.ts';
import { signIn } from '../passwords/sign-in.ts';
import { ensureWorkspace, openSession, type SignedIn } from '../sessions/start.ts';
import { findUser, lockPasswordHash } from '../users/queries.ts';
import { hasPasskey } from '../users/queries-second-factor.ts';
import { acceptChallenge } from './accept-challenge.ts';
import { challengeOf, isSigned, readAuthenticatorData } from './credential.rules.ts';
import { findPasskey, markUsed } from './queries.ts';
import type { PasskeyRow } from './record.ts';

const purpose = 'sign-in';

/** @returns the options of `navigator.credentials.get`, which tell nothing of anybody's passkeys */
export function beginPasskeySignIn({ passkeys: { challenges, rpId }, now }: IdentityDeps) {
  return { challenge: challenges.make(purpose, now()), rpId };
}

type Answer = Record<'credentialId' | 'clientData' | 'authenticatorData' | 'signature', Buffer>;

/** @param account with the password of the person, who then need not be known to the authenticator */
export async function signInWithPasskey(
  deps: IdentityDeps,
  { account, ...answer }: Answer & { account?: { email: string; password: string } | undefined },
  from: From,
): Promise<SignedIn> {
  if (account === undefined) return await signInAlone(deps, answer, from);
  return await signIn(deps, account, from, {
    method: 'password_and_passkey',
    refusal: 'The passkey was refused: it is not one of this account, or took more than 5 minutes.',
    async check({ id }) {
      const passkey = await findPasskey(deps.db, answer.credentialId);
      return passkey?.userId === id && (await prove(deps, passkey, answer));
    },
  });
}

/** The authenticator must have known its owner: it is the only proof of who signs in. */
async function signInAlone(deps: IdentityDeps, answer: Answer, from: From): Promise<SignedIn> {
  const passkey = await findPasskey(deps.db, answer.credentialId);
  const user = passkey && (await findUser(deps.db, passkey.userId));
  if (user && (await prove(deps, passkey, answer, { isAlone: true }))) {
    const now = deps.now();
    const signedIn = await deps.db.transaction(async tx => {
      // Whoever removed the passkey since may have ended the sessions that there were.
      if (!(await lockPasswordHash(tx, user)) || !(await hasPasskey(tx, user.id))) return null;
      await knowAddress(tx, user, { from, now });
      await ensureWorkspace(deps, { tx, from, now }, user);
      return await openSession({ tx, from, now }, user, { method: 'passkey' });
    });
    if (signedIn) return signedIn;
  }
  deps.failedSignIns.count(from.address);
  if (user) await auditAttempt(deps, { userId: user.id, method: 'passkey' }, from);
  throw new ApiError(
    'unauthorized',
    'The passkey was refused: it is not known here, did not ask for a PIN or a finger, or took more than 5 minutes.',
  );
}

/** Uses the challenge up. */
async function prove(
  deps: IdentityDeps,
  { id, publicKey }: PasskeyRow,
  { clientData, authenticatorData, signature }: Answer,
  { isAlone = false } = {},
): Promise<boolean> {
  const { origin, rpId } = deps.passkeys;
  const challenge = challengeOf(clientData, 'webauthn.get', origin);
  if (challenge === null || !(await acceptChallenge(deps, challenge, purpose))) return false;
  const data = readAuthenticatorData(authenticatorData, rpId);
  if (!data || (isAlone && !data.isVerified)) return false;
  if (!isSigned(publicKey, { authenticatorData, clientData, signature })) return false;
  return await markUsed(deps.db, { id, signCount: data.signCount }, deps.now());
}
