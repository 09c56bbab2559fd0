/** The routes of the console alone: only a page of our own origin can use a passkey. */

import { z } from 'zod';
import { answerList, answerText, idField, textField, timestamp } from './answer-fields.ts';
import { email, exampleUser, User } from './auth.ts';
import { Deleted, single } from './envelope.ts';
import { deletedExample, exampleTime } from './examples.ts';
import { body, filledText, idParams, text } from './fields.ts';
import { gatewayRoute } from './route.ts';

export const passkeysMax = 10;
export const recoveryCodesOfPerson = 8;

const error = 'must be base64url of at most 3,000 bytes';
const bytes = z
  .string({ error })
  .max(4_000, error)
  .regex(/^[\w-]+$/, error)
  .transform(given => Buffer.from(given, 'base64url'));

const Passkey = z.object({
  id: idField,
  name: textField,
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
const Codes = answerList(answerText(19), recoveryCodesOfPerson);
const Password = body({ password: text(1, 200) });
/** The options of `navigator.credentials`, as its own JSON methods read them. */
const Options = single(z.looseObject({ challenge: textField }));

const [example, exampleBytes] = ['correct horse battery', 'AQID'];
const examplePasskey = {
  id: 'passkey_01k9ztq0j7d2f5h8k1n4r7t0wy',
  name: 'Chrome on Android',
  createdAt: exampleTime,
  lastUsedAt: null,
};
const exampleCodes = ['k3vq-1ht8-m5nb-7cr2'];

const ofSession = { auth: 'session', whileFrozen: true, description: '', errors: [] } as const;
const ofSignIn = { auth: 'none', description: '', idempotency: 'none' } as const;

export const listPasskeys = gatewayRoute('GET /auth/passkeys', {
  ...ofSession,
  summary: 'List the passkeys of the person, newest first',
  response: single(
    z.object({
      /** False for a person of an OIDC issuer, who has no password and the second factor there. */
      offered: z.boolean(),
      passkeys: answerList(Passkey, passkeysMax),
      recoveryCodes: z.int(),
    }),
  ),
  example: { response: { data: { offered: true, passkeys: [examplePasskey], recoveryCodes: 8 } } },
});

export const beginPasskey = gatewayRoute('POST /auth/passkeys/challenge', {
  ...ofSession,
  summary: 'Begin to add a passkey, with the password',
  body: Password,
  response: Options,
  idempotency: 'none',
  example: { body: { password: example }, response: { data: { challenge: exampleBytes } } },
});

export const addPasskey = gatewayRoute('POST /auth/passkeys', {
  ...ofSession,
  summary: 'Add the passkey that answered; the first brings recovery codes',
  body: body({ name: filledText(100), clientData: bytes, authenticatorData: bytes, publicKey: bytes }),
  status: 201,
  response: single(z.object({ passkey: Passkey, recoveryCodes: Codes })),
  idempotency: 'none',
  example: {
    body: {
      name: examplePasskey.name,
      clientData: exampleBytes,
      authenticatorData: exampleBytes,
      publicKey: exampleBytes,
    },
    response: { data: { passkey: examplePasskey, recoveryCodes: exampleCodes } },
  },
});

export const removePasskey = gatewayRoute('DELETE /auth/passkeys/{id}', {
  ...ofSession,
  summary: 'Remove a passkey, with the password; the last takes the recovery codes along',
  params: idParams('passkey', examplePasskey.id),
  body: Password,
  response: single(Deleted),
  example: { body: { password: example }, response: deletedExample(examplePasskey.id) },
});

export const renewRecoveryCodes = gatewayRoute('POST /auth/recovery-codes', {
  ...ofSession,
  summary: 'Make new recovery codes, with the password; the old ones end',
  body: Password,
  response: single(z.object({ recoveryCodes: Codes })),
  idempotency: 'none',
  example: { body: { password: example }, response: { data: { recoveryCodes: exampleCodes } } },
});

export const beginPasskeySignIn = gatewayRoute('POST /auth/sign-in/challenge', {
  ...ofSignIn,
  summary: 'Begin a sign-in with a passkey',
  response: Options,
  example: { response: { data: { challenge: exampleBytes } } },
});

export const signInWithPasskey = gatewayRoute('POST /auth/sign-in/passkey', {
  ...ofSignIn,
  summary: 'Sign in with a passkey: alone, if it knows its owner, or behind the password',
  body: body({
    account: body({ email, password: text(1, 200) }).optional(),
    credentialId: bytes,
    clientData: bytes,
    authenticatorData: bytes,
    signature: bytes,
  }),
  response: single(z.object({ user: User })),
  errors: ['unauthorized', 'second_factor_required'],
  example: {
    body: {
      credentialId: exampleBytes,
      clientData: exampleBytes,
      authenticatorData: exampleBytes,
      signature: exampleBytes,
    },
    response: { data: { user: exampleUser } },
  },
});
