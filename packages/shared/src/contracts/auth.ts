import { z } from 'zod';
import {
  answerList,
  answerText,
  idField,
  record,
  recordFields,
  textField,
  timestamp,
  urlField,
} from './answer-fields.ts';
import { automationStatuses } from './automations.ts';
import { Deleted, list, single } from './envelope.ts';
import { deletedExample, exampleIds, laterTime, listExample, newRecord } from './examples.ts';
import {
  arrayOf,
  body,
  filledText,
  flag,
  idParams,
  oneOf,
  pageQuery,
  text,
  timestampInput,
} from './fields.ts';
import { gatewayRoute } from './route.ts';
import { scopes } from './scopes.ts';

export const User = record('User', {
  ...recordFields,
  email: answerText(254, '^[^@\\s]+@[^@\\s]+$')
    .nullable()
    .meta({ description: 'An address, or null for a user of an OIDC issuer that sent none.' }),
  name: textField.nullable(),
});
export type User = z.infer<typeof User>;

export const Session = record('Session', { ...recordFields, expiresAt: timestamp });
export type Session = z.infer<typeof Session>;

export const SessionWithToken = Session.extend({
  token: answerText(48, '^sess_[\\w-]{43}$').meta({ description: '`sess_` and 43 characters; shown once.' }),
}).meta({ id: 'SessionWithToken' });

const SignedIn = record('SignedIn', { user: User, session: SessionWithToken });

const emailError = 'must be an e-mail address of at most 254 characters';
// Only the pattern is declared: with `format: email`, tools would expect the rest of RFC 5321.
export const email = z.string({ error: emailError }).regex(z.regexes.email, emailError).max(254, emailError);
export const exampleUser: User = {
  id: exampleIds.user,
  ...newRecord,
  email: 'maya@example.com',
  name: 'Maya',
};
export const exampleSession: Session = {
  id: exampleIds.session,
  ...newRecord,
  expiresAt: '2026-12-21T09:00:00.000Z',
};
const exampleSignIn = { email: 'maya@example.com', password: 'correct horse battery' };
const exampleSignedIn = {
  data: {
    user: exampleUser,
    session: { ...exampleSession, token: 'sess_Zk3vQ1hT8mYw5nB7cR2xL9pD4sF6gJ0aEuKiOtVyHqM' },
  },
};

export const signUp = gatewayRoute('POST /auth/sign-up', {
  auth: 'none',
  summary: 'Create a user and sign in',
  description:
    'Creates a user with its own workspace and 25 credits (the operator can set another number). Where the operator allows sign-up by invitation only, or not at all: 403.',
  body: body({ email, password: text(10, 200), name: filledText(200).optional() }).meta({ id: 'SignUp' }),
  status: 201,
  response: single(SignedIn),
  errors: ['missing_scope'],
  idempotency: 'none',
  example: { body: { ...exampleSignIn, name: 'Maya' }, response: exampleSignedIn },
});

export const signIn = gatewayRoute('POST /auth/sign-in', {
  auth: 'none',
  summary: 'Sign in',
  description:
    'An unknown e-mail address and a wrong password get the same response. After 10 failures for an e-mail address from one network address within 15 minutes: 429 to that address. Beyond 100 from anywhere, an address that never signed in to it gets one try in 10 seconds. A person with a passkey signs in with it at the console; elsewhere a recovery code is needed.',
  body: body({
    email,
    password: text(1, 200),
    recoveryCode: text(1, 40).optional().meta({ description: 'Takes the place of a passkey, once.' }),
  }).meta({ id: 'SignIn' }),
  response: single(SignedIn),
  errors: ['unauthorized', 'second_factor_required'],
  idempotency: 'none',
  example: { body: exampleSignIn, response: exampleSignedIn },
});

export const signOut = gatewayRoute('POST /auth/sign-out', {
  whileFrozen: true,
  auth: 'session',
  summary: 'End the current session',
  description: 'The token is no longer accepted.',
  response: single(Deleted),
  idempotency: 'none',
  example: { response: deletedExample(exampleIds.session) },
});

export const SessionOfPerson = Session.extend({
  lastUsedAt: timestamp.nullable().meta({ description: 'Written some seconds after the use.' }),
  client: textField.nullable().meta({ description: 'The `User-Agent` that signed in.' }),
  current: z.boolean(),
}).meta({ id: 'SessionOfPerson' });

const exampleOfPerson = {
  ...exampleSession,
  lastUsedAt: laterTime,
  client: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  current: true,
};

export const listSessions = gatewayRoute('GET /auth/sessions', {
  auth: 'session',
  summary: 'List the sessions of the person, newest first',
  description:
    'Sessions that have ended are left out. All workspaces are included. A person has at most 50: the next one ends the oldest.',
  query: body(pageQuery),
  response: list(SessionOfPerson),
  example: { response: listExample(exampleOfPerson) },
});

export const endOtherSessions = gatewayRoute('DELETE /auth/sessions', {
  whileFrozen: true,
  auth: 'session',
  summary: 'End all other sessions of the person',
  description: 'Ends every session but the one that asks. Their tokens are no longer accepted.',
  response: single(
    record('EndedSessions', { sessionIds: answerList(idField, 1_000), deleted: z.literal(true) }),
  ),
  example: { response: { data: { sessionIds: [exampleIds.session], deleted: true } } },
});

export const endSession = gatewayRoute('DELETE /auth/sessions/{id}', {
  whileFrozen: true,
  auth: 'session',
  summary: 'End one session of the person',
  description: 'Its token is no longer accepted.',
  params: idParams('session', exampleIds.session),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.session) },
});

export const changePassword = gatewayRoute('POST /auth/password', {
  whileFrozen: true,
  auth: 'session',
  summary: 'Change the password',
  description:
    'Ends the other sessions of the person. A wrong `current` is 400 and counts as a failed sign-in.',
  body: body({ current: text(1, 200), password: text(10, 200) }).meta({ id: 'ChangePassword' }),
  response: single(User),
  idempotency: 'none',
  example: {
    body: { current: exampleSignIn.password, password: 'a new correct horse' },
    response: { data: { ...exampleUser, updatedAt: laterTime } },
  },
});

export const requestPasswordReset = gatewayRoute('POST /auth/password-reset', {
  auth: 'none',
  summary: 'Send a link that sets a new password',
  description:
    'The answer is the same for every address. The link is mailed if somebody has signed up with it, at most three times an hour, and is valid for an hour.',
  body: body({ email }).meta({ id: 'RequestPasswordReset' }),
  status: 202,
  response: single(record('Accepted', { accepted: z.literal(true) })),
  idempotency: 'none',
  example: { body: { email: exampleSignIn.email }, response: { data: { accepted: true } } },
});

const exampleToken = 'link_Zk3vQ1hT8mYw5nB7cR2xL9pD4sF6gJ0aEuKiOtVyHqM';

export const confirmPasswordReset = gatewayRoute('POST /auth/password-reset/confirm', {
  auth: 'none',
  summary: 'Set a new password with the token of a link',
  description: 'Works once. Ends every session of the person.',
  body: body({
    token: text(1, 200),
    password: text(10, 200),
    revokeKeys: flag().optional().meta({
      description: 'Also revokes every API key that the person created, and every connected client.',
    }),
  }).meta({ id: 'ConfirmPasswordReset' }),
  response: single(User),
  idempotency: 'none',
  example: {
    body: { token: exampleToken, password: 'a new correct horse' },
    response: { data: { ...exampleUser, updatedAt: laterTime } },
  },
});

export const verifyEmail = gatewayRoute('POST /auth/verify-email', {
  whileFrozen: true,
  auth: 'none',
  optionalSession: true,
  summary: 'Prove an e-mail address with the token of a link',
  description:
    'The link is mailed at sign-up where the operator requires it. It works once, with a session of the person whom it is for, or with the password.',
  body: body({ token: text(1, 200), password: text(1, 200).optional() }).meta({ id: 'VerifyEmail' }),
  response: single(User),
  errors: ['unauthorized'],
  idempotency: 'none',
  example: { body: { token: exampleToken }, response: { data: { ...exampleUser, updatedAt: laterTime } } },
});

export const getSession = gatewayRoute('GET /auth/session', {
  auth: 'session',
  summary: 'Get the current session',
  description: 'Returns the user and the session that the token belongs to, and its workspace.',
  response: single(record('CurrentSession', { user: User, session: Session, workspaceId: idField })),
  example: {
    response: { data: { user: exampleUser, session: exampleSession, workspaceId: exampleIds.workspace } },
  },
});

export const ApiKey = record('ApiKey', {
  ...recordFields,
  name: textField,
  prefix: answerText(17, '^svc_live_[0-9A-Za-z]{8}$'),
  scopes: answerList(z.enum(scopes), scopes.length),
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  createdBy: z
    .object({ userId: idField, name: textField })
    .nullable()
    .meta({ description: 'The member who created the key. Null if that is not known.' }),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyWithSecret = ApiKey.extend({
  key: answerText(58, '^svc_live_[0-9A-Za-z]{49}$').optional().meta({
    description: 'The plaintext key, in the first response only. A retry returns the record without it.',
  }),
}).meta({ id: 'ApiKeyWithSecret' });

const exampleKey: ApiKey = {
  id: exampleIds.key,
  ...newRecord,
  name: 'Posting script',
  prefix: 'svc_live_4fK9sT2m',
  scopes: ['apps:write', 'content:write', 'content:approve', 'schedules:write'],
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  createdBy: { userId: exampleIds.user, name: 'Maya' },
};

export const createKey = gatewayRoute('POST /keys', {
  auth: 'session',
  roles: ['owner', 'approver', 'editor'],
  summary: 'Create an API key; the plaintext is shown once',
  description:
    'Grant only the scopes that the key needs. The key is stored as a hash and cannot be shown again: a retry with the same `Idempotency-Key` returns the record without `key`. Only scopes that your role has can be granted; the key loses those that your role loses. A workspace has at most 50 live keys.',
  body: body({
    name: filledText(200),
    scopes: arrayOf(oneOf(scopes), 1, scopes.length, 'scopes')
      .refine(given => new Set(given).size === given.length, { error: 'must not name a scope twice' })
      .meta({ uniqueItems: true }),
    expiresAt: timestampInput().optional(),
  }).meta({ id: 'CreateKey' }),
  status: 201,
  response: single(ApiKeyWithSecret),
  example: {
    body: { name: exampleKey.name, scopes: exampleKey.scopes },
    // Assembled here, so that secret scanners do not report this file; its checksum is wrong on purpose.
    response: {
      data: { ...exampleKey, key: `${exampleKey.prefix}Xb7QhW1cZ8vLr5NpYd3GjA6uEeRi0oPtBsVkC2x7Q` },
    },
  },
});

export const listKeys = gatewayRoute('GET /keys', {
  auth: 'session',
  summary: 'List API keys, newest first',
  description:
    'Includes revoked and expired keys. The plaintext is never included. An owner sees every key, other members their own.',
  query: body(pageQuery),
  response: list(ApiKey),
  example: { response: listExample({ ...exampleKey, lastUsedAt: laterTime }) },
});

/** Schedules of a key that one answer names. */
export const schedulesOfKeyMax = 100;

const change = z.enum(['created', 'changed']).meta({
  description: '`created`: the key made it. `changed`: somebody else made it, and the key changed it later.',
});

export const WorkOfKey = record('WorkOfKey', {
  automations: answerList(
    z.object({ id: idField, appId: idField, status: z.enum(automationStatuses), change }),
    200,
  ),
  webhooks: answerList(
    z.object({ id: idField, url: urlField, status: z.enum(['enabled', 'disabled']), change }),
    200,
  ),
  schedules: answerList(
    z.object({ id: idField, contentId: idField, tiktokAccountId: idField, scheduledFor: timestamp }),
    schedulesOfKeyMax,
  ).meta({ description: 'Schedules that wait, oldest first.' }),
  more: z.boolean().meta({ description: 'More schedules wait than are listed.' }),
});
export type WorkOfKey = z.infer<typeof WorkOfKey>;

export const getWorkOfKey = gatewayRoute('GET /keys/{id}/work', {
  auth: 'session',
  summary: 'List what a key made that still works',
  description:
    'The automations and webhooks that the key made or changed, and the waiting schedules that it made, moved or retried, or that an automation asked for after the key made or changed it. Nothing is listed that was deleted, or made before its maker was recorded. An owner can ask about every key, other members about their own; webhooks are listed to owners.',
  params: idParams('key', exampleIds.key),
  response: single(WorkOfKey),
  example: {
    response: {
      data: {
        automations: [
          { id: exampleIds.automation, appId: exampleIds.app, status: 'active', change: 'created' },
        ],
        webhooks: [
          {
            id: exampleIds.webhook,
            url: 'https://example.com/hooks/hookline',
            status: 'enabled',
            change: 'changed',
          },
        ],
        schedules: [
          {
            id: exampleIds.schedule,
            contentId: exampleIds.content,
            tiktokAccountId: exampleIds.account,
            scheduledFor: '2026-11-22T07:30:00.000Z',
          },
        ],
        more: false,
      },
    },
  },
});

const DisabledWork = record('DisabledWork', {
  automationIds: answerList(idField, 200).meta({ description: 'Paused.' }),
  webhookIds: answerList(idField, 200).meta({ description: 'Disabled.' }),
  scheduleIds: answerList(idField, schedulesOfKeyMax).meta({ description: 'Withdrawn.' }),
  more: z.boolean().meta({ description: 'More schedules of the key wait: repeat the request.' }),
});

export const RevokedKey = ApiKey.extend({
  disabled: DisabledWork.optional().meta({ description: 'With `withWhatItMade=true` only.' }),
}).meta({ id: 'RevokedKey' });

export const revokeKey = gatewayRoute('DELETE /keys/{id}', {
  whileFrozen: true,
  auth: 'session',
  summary: 'Revoke an API key immediately',
  description:
    'The next request with the key gets 401 `key_revoked`, on every gateway. The record is kept, with `revokedAt`. An owner can revoke every key, other members their own. `?withWhatItMade=true` also pauses the automations and disables the webhooks that the key made or changed, and withdraws the waiting schedules that `GET /keys/{id}/work` lists, as far as the role of the caller may. A repeat for a revoked key does the rest.',
  params: idParams('key', exampleIds.key),
  query: body({
    withWhatItMade: oneOf(['true', 'false'])
      .optional()
      .meta({ description: 'Also disable what the key made. Default `false`.' }),
  }),
  response: single(RevokedKey),
  example: { response: { data: { ...exampleKey, updatedAt: laterTime, revokedAt: laterTime } } },
});
