/**
 * The signed caller header: on whose behalf a call between services is made. Signed with the sender's own key
 * and bound to audience, method, path, body and 30 s (D-52), so that a captured header is useless elsewhere.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import { type ApprovalPolicy, approvalPolicies } from '../contracts/approval-policy.ts';
import type { Scope, ServiceName } from '../contracts/scopes.ts';
import type { By } from '../events/index.ts';
import { type NamedKey, sameBytes } from '../kernel/index.ts';

export const callerHeader = 'x-hookline-caller';

export type CallHeaders = { [callerHeader]: string };

/** Who acts. `id` is the caller's `userId` or `keyId`. */
export type Actor = {
  kind: 'person' | 'key';
  id: string;
  /** Any text. The id where the sender did not know a name. */
  name: string;
  /** The person who minted the key; null if unknown, and for a person. */
  creatorId: string | null;
};

/** The actor as events name it. */
export function byOf({ actor }: Pick<Caller, 'actor'>): By | null {
  return actor && { kind: actor.kind, id: actor.id, name: actor.name };
}

/** The authenticated caller: `keyId` for an API key, `userId` for a session. */
export type Caller = {
  accountId: string;
  keyId: string | null;
  userId: string | null;
  scopes: readonly Scope[];
  /** Null where a service acts for an account by itself. */
  actor: Actor | null;
  /** That of the account. */
  approvalPolicy: ApprovalPolicy;
};

/** The caller without actor and policy, for calls whose receiver decides nothing by them. */
export function bareCaller(caller: Pick<Caller, 'accountId' | 'keyId' | 'userId' | 'scopes'>): Caller {
  const { accountId, keyId, userId, scopes } = caller;
  return { accountId, keyId, userId, scopes, actor: null, approvalPolicy: approvalPolicies.open };
}

/** A verified call: the sending service and, if it acts for one, the caller. */
export type VerifiedCall = {
  sender: ServiceName;
  requestId: string;
  caller: Caller | null;
  /** Absent at the gateway, whose callers sign nothing. */
  signed?: Signed;
};

export type Signed = {
  /** `bodyDigest` of the body. The server compares it with the body that arrives. */
  bodyDigest: string;
  /** The address of the client, as the gateway counts it. Null where no client caused the call. */
  address: string | null;
  /** The bytes of the signature, which no other call has. */
  signature: string;
};

export type CallToSign = {
  sender: ServiceName;
  audience: ServiceName;
  method: string;
  /** Path with its query, as sent. */
  path: string;
  requestId: string;
  caller: Caller | null;
  /** The body as sent. */
  body?: Uint8Array | string | null;
  /** The address of the client that caused the call. */
  address?: string | null;
};

/** SHA-256 of a body in base64url; empty for an empty body. */
export function bodyDigest(body: Uint8Array | string | null): string {
  return body === null || body.length === 0 ? '' : hash('sha256', body, 'base64url');
}

const lifetimeSeconds = 30;
// Tolerates a small difference between the two clocks.
const skewSeconds = 5;

// Parts of the header before its signature. Ids, scopes and addresses contain no separator, and names are
// encoded; a header with another count is refused.
const separator = ';';
const fieldCount = 13;
const headerMax = 8_192;

export type CallSigner = (call: CallToSign, nowMs?: number) => CallHeaders;

/**
 * @param ring the process's own key first. Its id must name the sender. A later key
 * `<sender>.to-<audience>` signs the calls to that service: its receiver can verify them, and sign nothing
 * that another service believes.
 */
export function createCallSigner(ring: readonly NamedKey[]): CallSigner {
  const first = ring[0];
  if (!first) throw new Error('a signing key is needed');
  const sender = first.id.split('.', 1)[0];
  const own = new Map<string, NamedKey>();
  for (const key of ring) {
    const audience = audienceOfKey(key.id);
    if (audience && key.id.startsWith(`${sender}.`) && !own.has(audience)) own.set(audience, key);
  }
  return (call, nowMs = Date.now()) => {
    const { audience, method, path } = call;
    const { id, key } = own.get(audience) ?? first;
    const expiresAt = Math.floor(nowMs / 1000) + lifetimeSeconds;
    const sent = `${bodyDigest(call.body ?? null)};${call.address ?? ''}`;
    const who = (call.caller && whoOfLasting.get(call.caller)) ?? whoOf(call.caller);
    const claims = `${id};${call.sender};${expiresAt};${call.requestId};${who};${sent}`;
    const signature = createHmac('sha256', key).update(signedText(audience, method, path, claims), 'latin1');
    return { [callerHeader]: `${claims}.${signature.digest('base64url')}` };
  };
}

/** Which service calls which: sender, audience. deploy/compose/make-secrets.mjs has the same list. */
export const callsBetweenServices: readonly (readonly [sender: ServiceName, audience: ServiceName])[] = [
  ['gateway', 'content'],
  ['gateway', 'scheduling'],
  ['gateway', 'automation'],
  ['gateway', 'analytics'],
  ['scheduling', 'content'],
  ['automation', 'content'],
  ['automation', 'scheduling'],
];

/** The service that a key for one pair of services is for; null for a key that signs for every audience. */
export function audienceOfKey(id: string): string | null {
  return /\.to-([a-z]+)(?:\.|$)/.exec(id)?.[1] ?? null;
}

const whoOfLasting = new WeakMap<Caller, string>();

/** Freezes a caller of many calls, whose part of the header is written once. */
export function lastingCaller(caller: Caller): Caller {
  whoOfLasting.set(caller, whoOf(caller));
  return Object.freeze(caller);
}

function whoOf(caller: Caller | null): string {
  if (!caller) return ';;;;;;';
  const { accountId, keyId, userId, scopes, actor, approvalPolicy } = caller;
  const acting = `${encodeName(actor?.name ?? '')};${actor?.creatorId ?? ''};${policyText(approvalPolicy)}`;
  return `${accountId};${keyId ?? ''};${userId ?? ''};${scopes.join(' ')};${acting}`;
}

// Most names are plain, and the test is several times cheaper than the encoding.
function encodeName(name: string): string {
  return /^[\w -]*$/.test(name) ? name : encodeURIComponent(name.toWellFormed());
}

/** One digit per field, 1 for the value that is not the default; empty when all are. */
function policyText({ approvers, requireVersion, postTexts, selfApproval }: ApprovalPolicy): string {
  const text = `${+(approvers === 'people_only')}${+requireVersion}${+(postTexts === 'approved_only')}${+!selfApproval}`;
  return text === '0000' ? '' : text;
}

function readPolicy(text: string | undefined): ApprovalPolicy {
  if (!text) return approvalPolicies.open;
  const [approvers, requireVersion, postTexts, selfApproval] = text;
  return {
    approvers: approvers === '1' ? 'people_only' : 'anyone_with_scope',
    requireVersion: requireVersion === '1',
    postTexts: postTexts === '1' ? 'approved_only' : 'open',
    selfApproval: selfApproval !== '1',
  };
}

/** Parts that the receiver already knows are signed but not sent. No part contains a line break. */
function signedText(audience: ServiceName, method: string, path: string, claims: string): string {
  return `${audience}\n${method}\n${path}\n${claims}`;
}

/** The headers of a request; other fields are ignored. */
export type GivenHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type CallVerifier = (
  headers: GivenHeaders,
  method: string,
  path: string,
  nowMs?: number,
) => VerifiedCall | null;

/**
 * @param ring every trusted key; a key is valid only for the service, or the pair of
 * services, that its id names
 */
export function createCallVerifier(ring: readonly NamedKey[], audience: ServiceName): CallVerifier {
  const isForUs = ({ id }: NamedKey): boolean => (audienceOfKey(id) ?? audience) === audience;
  const keys = new Map(ring.filter(isForUs).map(entry => [entry.id, entry.key]));
  return (headers, method, path, nowMs = Date.now()) => {
    const header = headers[callerHeader];
    if (typeof header !== 'string' || header.length > headerMax) return null;
    const dot = header.lastIndexOf('.');
    const claims = header.slice(0, dot);
    const fields = claims.split(separator);
    if (dot < 0 || fields.length !== fieldCount) return null;
    const [keyId = '', sender, expiresAt, requestId = '', ...who] = fields;
    const signature = Buffer.from(header.slice(dot + 1), 'base64url');
    const key = keys.get(keyId);
    if (!key || !isSigned(key, signedText(audience, method, path, claims), signature)) return null;
    const leftSeconds = Number(expiresAt) - nowMs / 1000;
    const isCurrent = leftSeconds >= -skewSeconds && leftSeconds <= lifetimeSeconds + skewSeconds;
    const isOwnKey = keyId === sender || keyId.startsWith(`${sender}.`);
    if (!isCurrent || !isOwnKey) return null;
    return {
      sender: sender as ServiceName,
      requestId,
      caller: readCaller(who),
      signed: {
        bodyDigest: fields[fieldCount - 2] ?? '',
        address: fields[fieldCount - 1] || null,
        // The decoded bytes: the same signature can be written in several ways.
        signature: signature.toString('latin1'),
      },
    };
  };
}

function isSigned(key: KeyObject, text: string, given: Buffer): boolean {
  const expected = createHmac('sha256', key).update(text, 'latin1').digest();
  return sameBytes(given, expected);
}

function readCaller(who: readonly string[]): Caller | null {
  const [accountId = '', keyId, userId, scopes, name, creatorId, policy] = who;
  if (accountId === '') return null;
  return {
    accountId,
    keyId: keyId || null,
    userId: userId || null,
    scopes: scopes ? (scopes.split(' ') as Scope[]) : [],
    actor: readActor(keyId, userId, name, creatorId),
    approvalPolicy: readPolicy(policy),
  };
}

function readActor(
  keyId: string | undefined,
  userId: string | undefined,
  name: string | undefined,
  creatorId: string | undefined,
): Actor | null {
  const id = keyId || userId;
  if (!id) return null;
  const decoded = name?.includes('%') ? decodeURIComponent(name) : name;
  return { kind: keyId ? 'key' : 'person', id, name: decoded || id, creatorId: creatorId || null };
}
