import { ApiError } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { From } from '../audit/record.ts';
import { auditFailedSignIn } from '../passwords/audit-failure.ts';
import { signIn } from '../passwords/sign-in.ts';
import { openSession, type SignedIn } from '../sessions/start.ts';
import { findUser } from '../users/queries.ts';
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
  let proven: Proven | null = null;
  return await signIn(deps, account, from, {
    method: 'password_and_passkey',
    async check({ id }) {
      const passkey = await findPasskey(deps.db, answer.credentialId);
      proven = await prove(deps, passkey?.userId === id ? passkey : null, answer);
      return proven !== null;
    },
    use: async tx => proven !== null && (await markUsed(tx, proven, deps.now())),
  });
}

/** The authenticator must have known its owner: it is the only proof of who signs in. */
async function signInAlone(deps: IdentityDeps, answer: Answer, from: From): Promise<SignedIn> {
  deps.failedSignIns.refuseWhenFull(from.address);
  const passkey = await findPasskey(deps.db, answer.credentialId);
  const proven = await prove(deps, passkey, answer);
  const now = deps.now();
  const signedIn =
    proven?.isVerified &&
    (await deps.db.transaction(async tx => {
      const user = (await markUsed(tx, proven, now)) && (await findUser(tx, proven.userId));
      return user && (await openSession({ tx, from, now }, user, { method: 'passkey' }));
    }));
  if (signedIn) return signedIn;
  deps.failedSignIns.count(from.address);
  if (passkey) await auditFailedSignIn(deps, { userId: passkey.userId, method: 'passkey' }, from);
  throw new ApiError(
    'unauthorized',
    'The passkey was refused: it is not known here, did not ask for a PIN or a finger, or took more than 5 minutes.',
  );
}

type Proven = { id: string; userId: string; signCount: number; isVerified: boolean };

async function prove(
  deps: IdentityDeps,
  passkey: PasskeyRow | null,
  { clientData, authenticatorData, signature }: Answer,
): Promise<Proven | null> {
  const { origin, rpId } = deps.passkeys;
  const challenge = challengeOf(clientData, 'webauthn.get', origin);
  if (challenge === null || !(await acceptChallenge(deps, challenge, purpose))) return null;
  const read = readAuthenticatorData(authenticatorData, rpId);
  if (!passkey || !read) return null;
  if (!isSigned(passkey.publicKey, { authenticatorData, clientData, signature })) return null;
  return { id: passkey.id, userId: passkey.userId, signCount: read.signCount, isVerified: read.isVerified };
}
