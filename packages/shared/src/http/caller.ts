/**
 * The signed caller header: on whose behalf a call between services is made. Signed with the sender's own key
 * and bound to audience, method, path and 30 s (D-52), so that a captured header is useless elsewhere. A
 * second header names the actor and the approval policy; a third, the seal, has the digest of the body and
 * the client's address. Receivers of the previous version ignore both, and its senders have no seal, so that
 * replicas of both versions understand each other. The expiry of a sealed call ends in `.0`, or `.00` with an
 * actor, which older receivers read as the same number: neither header can be removed on the way.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import { type ApprovalPolicy, approvalPolicies } from '../contracts/approval-policy.ts';
import type { Scope, ServiceName } from '../contracts/scopes.ts';
import type { By } from '../events/index.ts';
import { type NamedKey, sameBytes } from '../kernel/index.ts';

export const callerHeader = 'x-hookline-caller';
export const actorHeader = 'x-hookline-actor';
export const sealHeader = 'x-hookline-seal';

/**
 * What a signed call carries. The actor's header is there only if the caller has an actor, the seal only if
 * the body was given to the signer.
 */
export type CallHeaders = { [callerHeader]: string; [actorHeader]?: string; [sealHeader]?: string };

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
  /** Absent in calls of the previous version, and in reads. */
  seal?: Seal;
  /** The signature of the seal, which no other call has. */
  sealId?: string;
};

export type Seal = {
  /** `bodyDigest` of the body. The server compares it with the body that arrives. */
  bodyDigest: string;
  /** The address of the client, as the gateway counts it. Null where no client caused the call. */
  address: string | null;
};

export type CallToSign = {
  sender: ServiceName;
  audience: ServiceName;
  method: string;
  /** Path with its query, as sent. */
  path: string;
  requestId: string;
  caller: Caller | null;
  /** The body as sent, null for none. Absent: the call is not sealed. */
  body?: Uint8Array | string | null;
  /** The address of the client that caused the call. Sent only in a sealed call. */
  address?: string | null;
};

/** SHA-256 of a body in base64url; empty for an empty body. */
export function bodyDigest(body: Uint8Array | string | null): string {
  return body === null || body.length === 0 ? '' : hash('sha256', body, 'base64url');
}

const lifetimeSeconds = 30;
// Tolerates a small difference between the two clocks.
const skewSeconds = 5;

// Parts of the headers' texts before their signatures. Ids and scopes contain no separator, and names are
// encoded; a text with another count is refused.
const separator = ';';
const callerFieldCount = 8;
const actorFieldCount = 3;
const sealFieldCount = 2;
/** The end of the expiry of a sealed call. */
const sealedMark = '.0';
/**
 * That of a sealed call with an actor. Without the actor's header, the policy of its
 * account would be the open one.
 */
const actingMark = '.00';
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
    const { caller, audience, method, path, body } = call;
    const { id, key } = own.get(audience) ?? first;
    const sign = (claims: string, signed: string): string =>
      `${claims}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    const mark = body === undefined ? '' : caller?.actor ? actingMark : sealedMark;
    const expiresAt = `${Math.floor(nowMs / 1000) + lifetimeSeconds}${mark}`;
    const claims = `${id};${call.sender};${expiresAt};${call.requestId};${whoOf(caller)}`;
    const header = sign(claims, signedText(audience, method, path, claims));
    const headers: CallHeaders = { [callerHeader]: header };
    if (caller?.actor) {
      const acting = actingOf(caller.actor, caller.approvalPolicy);
      headers[actorHeader] = sign(acting, signedBeside('actor', header, acting));
    }
    if (body !== undefined) {
      const seal = `${bodyDigest(body)};${call.address ?? ''}`;
      headers[sealHeader] = sign(seal, signedBeside('seal', header, seal));
    }
    return headers;
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

function whoOf(caller: Caller | null): string {
  if (!caller) return ';;;';
  return `${caller.accountId};${caller.keyId ?? ''};${caller.userId ?? ''};${caller.scopes.join(' ')}`;
}

function actingOf({ name, creatorId }: Actor, policy: ApprovalPolicy): string {
  return `${encodeName(name)};${creatorId ?? ''};${policyText(policy)}`;
}

// Most names are plain, and the test is several times cheaper than the encoding.
function encodeName(name: string): string {
  return /^[\w -]*$/.test(name) ? name : encodeURIComponent(name.toWellFormed());
}

/** One digit per field, 1 for the value that is not the default; empty when all are. */
function policyText({ approvers, requireVersion, postTexts, selfApproval }: ApprovalPolicy): string {
  const isStrict = [
    approvers === 'people_only',
    requireVersion,
    postTexts === 'approved_only',
    !selfApproval,
  ];
  return isStrict.includes(true) ? isStrict.map(Number).join('') : '';
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

/** Bound to the caller's header, signature included: valid with that one alone. */
function signedBeside(kind: 'actor' | 'seal', header: string, claims: string): string {
  return `${kind}\n${header}\n${claims}`;
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
    const read = readFields(header, callerFieldCount);
    if (!read) return null;
    const [keyId = '', sender, expiresAt, requestId = '', ...who] = read.fields;
    const key = keys.get(keyId);
    if (!key || !isSigned(key, signedText(audience, method, path, read.claims), read.signature)) return null;
    const leftSeconds = Number(expiresAt) - nowMs / 1000;
    const isCurrent = leftSeconds >= -skewSeconds && leftSeconds <= lifetimeSeconds + skewSeconds;
    const isOwnKey = keyId === sender || keyId.startsWith(`${sender}.`);
    if (!isCurrent || !isOwnKey) return null;
    const call: Omit<VerifiedCall, 'caller'> = { sender: sender as ServiceName, requestId };
    const readBeside = (kind: 'actor' | 'seal', text: unknown, count: number): Read | null => {
      const beside = readFields(text, count);
      if (!beside || !isSigned(key, signedBeside(kind, header as string, beside.claims), beside.signature))
        return null;
      return beside;
    };
    const isActing = expiresAt?.endsWith(actingMark) ?? false;
    if (isActing || expiresAt?.endsWith(sealedMark)) {
      const sealed = readBeside('seal', headers[sealHeader], sealFieldCount);
      if (!sealed) return null;
      const [digest = '', address] = sealed.fields;
      call.seal = { bodyDigest: digest, address: address || null };
      // Of the decoded bytes: the same signature can be written in several ways.
      call.sealId = sealed.signature.toString('latin1');
    }
    const acting = headers[actorHeader];
    if (acting === undefined) return isActing ? null : { ...call, caller: readCaller(who, []) };
    const named = readBeside('actor', acting, actorFieldCount);
    return named && { ...call, caller: readCaller(who, named.fields) };
  };
}

type Read = { claims: string; fields: string[]; signature: Buffer };

function readFields(header: unknown, count: number): Read | null {
  if (typeof header !== 'string' || header.length > headerMax) return null;
  const dot = header.lastIndexOf('.');
  const claims = header.slice(0, dot);
  const fields = claims.split(separator);
  if (dot < 0 || fields.length !== count) return null;
  return { claims, fields, signature: Buffer.from(header.slice(dot + 1), 'base64url') };
}

function isSigned(key: KeyObject, text: string, given: Buffer): boolean {
  const expected = createHmac('sha256', key).update(text).digest();
  return sameBytes(given, expected);
}

function readCaller(who: readonly string[], acting: readonly string[]): Caller | null {
  const [accountId = '', keyId, userId, scopes] = who;
  const [name, creatorId, policy] = acting;
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
