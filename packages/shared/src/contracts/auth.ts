import { z } from 'zod';
import { IdParams } from './apps.ts';
import { Deleted, list, single } from './envelope.ts';
import {
  arrayOf,
  body,
  filledText,
  oneOf,
  pageQuery,
  recordFields,
  text,
  timestamp,
  timestampInput,
} from './fields.ts';
import { defineRoute } from './route.ts';
import { scopes } from './scopes.ts';

export const User = z
  .object({
    ...recordFields,
    email: z
      .string()
      .nullable()
      .meta({ description: 'Null only for a user of an OIDC issuer that told no address.' }),
    name: z.string().nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

export const Session = z.object({ ...recordFields, expiresAt: timestamp() }).meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

export const SessionWithToken = Session.extend({
  token: z.string().meta({ description: '`sess_` and 43 characters; shown once.' }),
}).meta({ id: 'SessionWithToken' });

const emailError = 'must be an e-mail address of at most 254 characters';
const email = z.email({ error: emailError }).max(254, emailError);
const service = { service: 'gateway' } as const;

export const signUp = defineRoute({
  ...service,
  id: 'signUp',
  method: 'POST',
  path: '/auth/sign-up',
  auth: 'none',
  scopes: [],
  summary: 'Create a user and sign in',
  body: body({ email, password: text(10, 200), name: filledText(200).optional() }).meta({ id: 'SignUp' }),
  status: 201,
  response: single(z.object({ user: User, session: SessionWithToken })),
  errors: [],
  idempotency: 'none',
});

export const signIn = defineRoute({
  ...service,
  id: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  auth: 'none',
  scopes: [],
  summary: 'Sign in',
  body: body({ email, password: text(1, 200) }).meta({ id: 'SignIn' }),
  status: 200,
  response: single(z.object({ user: User, session: SessionWithToken })),
  errors: ['unauthorized'],
  idempotency: 'none',
});

export const signOut = defineRoute({
  ...service,
  id: 'signOut',
  method: 'POST',
  path: '/auth/sign-out',
  auth: 'session',
  scopes: [],
  summary: 'End this session',
  status: 200,
  response: single(Deleted),
  errors: [],
  idempotency: 'none',
});

export const getSession = defineRoute({
  ...service,
  id: 'getSession',
  method: 'GET',
  path: '/auth/session',
  auth: 'session',
  scopes: [],
  summary: 'Who is signed in',
  status: 200,
  response: single(z.object({ user: User, session: Session })),
  errors: [],
});

export const ApiKey = z
  .object({
    ...recordFields,
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.enum(scopes)),
    expiresAt: timestamp().nullable(),
    lastUsedAt: timestamp().nullable(),
    revokedAt: timestamp().nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyWithSecret = ApiKey.extend({
  key: z.string().optional().meta({
    description: 'The plaintext key, in the first answer only: a repeat has the record without it.',
  }),
}).meta({ id: 'ApiKeyWithSecret' });

export const createKey = defineRoute({
  ...service,
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  auth: 'session',
  scopes: [],
  summary: 'Mint an API key; the plaintext is shown once',
  body: body({
    name: filledText(200),
    scopes: arrayOf(oneOf(scopes), 1, scopes.length, 'scopes')
      .refine(given => new Set(given).size === given.length, { error: 'must not name a scope twice' })
      .meta({ uniqueItems: true }),
    expiresAt: timestampInput().optional(),
  }).meta({ id: 'CreateKey' }),
  status: 201,
  response: single(ApiKeyWithSecret),
  errors: [],
  idempotency: 'honoured',
});

export const listKeys = defineRoute({
  ...service,
  id: 'listKeys',
  method: 'GET',
  path: '/keys',
  auth: 'session',
  scopes: [],
  summary: 'List API keys, newest first',
  query: body(pageQuery),
  status: 200,
  response: list(ApiKey),
  errors: [],
});

export const revokeKey = defineRoute({
  ...service,
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{id}',
  auth: 'session',
  scopes: [],
  summary: 'Revoke an API key at once',
  params: IdParams,
  status: 200,
  response: single(ApiKey),
  errors: ['not_found'],
});
