import { randomBytes } from 'node:crypto';
import { invalidRequest, notFound } from '@hookline/shared/contracts';
import { passkeysMax, recoveryCodesOfPerson } from '@hookline/shared/contracts/passkeys';
import { newId } from '@hookline/shared/kernel';
import { isUniqueViolation, type Transaction } from '@hookline/shared/postgres';
import type { IdentityDeps } from '../../identity-deps.ts';
import { insertAuditInEach } from '../audit/queries.ts';
import { type AuditEntry, type By, byOperator, type From } from '../audit/record.ts';
import { type Confirmation, confirmPerson } from '../deletion/confirm-person.ts';
import { insertMail } from '../mail/queries.ts';
import type { SignInChange } from '../mail/record.ts';
import { mailSignInChange } from '../mail/send.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import type { SessionRow } from '../sessions/record.ts';
import { findUser, lockPasswordHash } from '../users/queries.ts';
import { deleteSecondFactor, hasPasskey, replaceRecoveryCodes } from '../users/queries-second-factor.ts';
import type { UserRow } from '../users/record.ts';
import { hashRecoveryCode, makeRecoveryCode } from '../users/recovery-code.rules.ts';
import { acceptChallenge } from './accept-challenge.ts';
import { algorithms, challengeOf, readAuthenticatorData, readPublicKey } from './credential.rules.ts';
import { deletePasskey, insertPasskey, listPasskeys } from './queries.ts';
import type { PasskeyRow } from './record.ts';

/** The password that was sent in the session lets the challenge be answered, until another replaces it. */
function purposeOf({ id }: SessionRow, { passwordHash }: UserRow): string {
  return `add ${id} ${passwordHash}`;
}

/** @returns the options of `navigator.credentials.create`, once the password is right */
export function beginPasskey(deps: IdentityDeps, confirmation: Confirmation) {
  return change(deps, confirmation, async (tx, { user }) => {
    const { rpId, challenges } = deps.passkeys;
    const known = await listPasskeys(tx, user.id);
    const { id, email: name, name: displayName } = user;
    return {
      rp: { id: rpId, name: deps.imprint.appName },
      user: { id: Buffer.from(id).toString('base64url'), name, displayName: displayName ?? name },
      challenge: challenges.make(purposeOf(confirmation.session, user), deps.now()),
      pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
      excludeCredentials: known.map(({ credentialId }) => ({
        type: 'public-key',
        id: credentialId.toString('base64url'),
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
    };
  });
}

export type NewPasskey = {
  session: SessionRow;
  name: string;
} & Record<'clientData' | 'authenticatorData' | 'publicKey', Buffer>;

/** @returns recovery codes with the first passkey, which nobody can read again */
export async function addPasskey(
  deps: IdentityDeps,
  { session, name, clientData, authenticatorData, publicKey }: NewPasskey,
  from: From,
): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] }> {
  const { rpId, origin } = deps.passkeys;
  const user = await findUser(deps.db, session.userId);
  if (!user) throw notFound('session');
  const challenge = challengeOf(clientData, 'webauthn.create', origin);
  if (challenge === null || !(await acceptChallenge(deps, challenge, purposeOf(session, user)))) {
    throw invalidRequest('clientData must answer a challenge of the last 5 minutes, once: begin again');
  }
  const { credentialId, signCount = 0 } = readAuthenticatorData(authenticatorData, rpId) ?? {};
  if (!credentialId) throw invalidRequest('authenticatorData must be of a new credential of this site');
  if (!readPublicKey(publicKey))
    throw invalidRequest('publicKey must be Ed25519, P-256 or RSA, as it was asked for');
  const now = deps.now();
  return await deps.db
    .transaction(async tx => {
      if (!(await lockPasswordHash(tx, user))) throw notFound('session');
      const known = (await listPasskeys(tx, user.id)).length;
      if (known >= passkeysMax) throw invalidRequest(`a person has at most ${passkeysMax} passkeys`);
      const passkey = await insertPasskey(tx, {
        ...{ id: newId('passkey', now.getTime()), userId: user.id, name, createdAt: now },
        ...{ credentialId, publicKey, signCount },
      });
      const isFirst = known === 0;
      const recoveryCodes = isFirst ? await makeRecoveryCodes(tx, user.id) : [];
      // The password alone opened them.
      const ended = isFirst ? await deleteSessionsOf(tx, user.id, session.id) : [];
      const by = { actor: session.actor, ...from };
      const detail = { passkeyId: passkey.id, name, endedSessions: ended.length };
      await report(deps, { tx, by, user }, 'passkey_added', detail);
      return { passkey, recoveryCodes };
    })
    .catch(error => {
      if (!isUniqueViolation(error, 'passkeys_credential_unique')) throw error;
      throw invalidRequest('authenticatorData is of a passkey that was added before');
    });
}

/** The session is proof of the second factor: the first passkey ended those that the password alone had opened. */
export function removePasskey(deps: IdentityDeps, confirmation: Confirmation, id: string): Promise<void> {
  return change(deps, confirmation, async (tx, { user, by }) => {
    const removed = await deletePasskey(tx, { id, userId: user.id });
    if (!removed) throw notFound('passkey');
    if (!(await hasPasskey(tx, user.id))) await deleteSecondFactor(tx, user.id);
    await report(deps, { tx, by, user }, 'passkey_removed', { passkeyId: id, name: removed.name });
  });
}

export function renewRecoveryCodes(deps: IdentityDeps, confirmation: Confirmation): Promise<string[]> {
  return change(deps, confirmation, async (tx, { user, by }) => {
    if (!(await hasPasskey(tx, user.id))) {
      throw invalidRequest('Recovery codes come with a passkey: add one first.');
    }
    await report(deps, { tx, by, user }, 'recovery_codes_made', {});
    return await makeRecoveryCodes(tx, user.id);
  });
}

/**
 * Removes a second factor that the person has lost, for operators. The mail waits for a gateway that can send it.
 * @returns how many passkeys there were
 */
export async function removePasskeys(db: IdentityDeps['db'], user: UserRow): Promise<number> {
  return await db.transaction(async tx => {
    const removed = await deleteSecondFactor(tx, user.id);
    const now = new Date();
    await insertMail(tx, {
      kind: 'sign_in_changed',
      recipient: user.email,
      subjectId: 'passkeys_reset',
      now,
    });
    await insertAuditInEach({ tx, by: byOperator, now }, user.id, {
      action: 'operator.command',
      detail: { command: 'remove-passkeys', removed },
    });
    return removed;
  });
}

async function makeRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesOfPerson }, () => makeRecoveryCode(randomBytes(16)));
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode));
  return codes;
}

/** Needs the password: people of an OIDC issuer have their second factor there. */
async function change<T>(
  deps: IdentityDeps,
  confirmation: Confirmation,
  carryOut: (tx: Transaction, who: { user: UserRow; by: By }) => Promise<T>,
): Promise<T> {
  const { session, from } = confirmation;
  const user = await findUser(deps.db, session.userId);
  if (!user || user.passwordHash === null) {
    throw invalidRequest('password cannot be checked: this person signs in at the OIDC issuer');
  }
  const confirmIn = await confirmPerson(deps, confirmation);
  deps.passkeys.changes.count(user.id);
  return await deps.db.transaction(async tx => {
    await confirmIn(tx);
    return await carryOut(tx, { user, by: { actor: session.actor, ...from } });
  });
}

async function report(
  deps: Pick<IdentityDeps, 'mailer' | 'now'>,
  { tx, by, user }: { tx: Transaction; by: By; user: UserRow },
  change: Exclude<SignInChange, 'recovery_code_used' | 'passkeys_reset'>,
  detail: AuditEntry['detail'] & object,
): Promise<void> {
  await insertAuditInEach({ tx, by, now: deps.now() }, user.id, { action: `auth.${change}`, detail });
  await mailSignInChange(deps, tx, user, change);
}
