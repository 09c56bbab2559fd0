/**
 * The signed caller header: who stands behind a call between services. Signed with the sender's own key and
 * bound to audience, method, path and 30 s (decision 52), so that a header seen elsewhere opens nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Scope, ServiceName } from './contracts/scopes.ts';
import type { NamedKey } from './settings.ts';

export const callerHeader = 'x-hookline-caller';

/** The person or key behind a request. `keyId` and `scopes` stand for an API key, `userId` for a session. */
export type Caller = {
  accountId: string;
  keyId: string | null;
  userId: string | null;
  scopes: readonly Scope[];
};

/** What a receiver learns: the sending service, and the caller it speaks for, if any. */
export type VerifiedCall = {
  sender: ServiceName;
  requestId: string;
  caller: Caller | null;
};

export type CallToSign = {
  sender: ServiceName;
  audience: ServiceName;
  method: string;
  /** Path with its query, as it goes on the wire. */
  path: string;
  requestId: string;
  caller: Caller | null;
};

const lifetimeSeconds = 30;
// The two clocks may differ a little without breaking every call.
const skewSeconds = 5;

type Claims = {
  k: string;
  s: string;
  a: string;
  m: string;
  p: string;
  e: number;
  r: string;
  c: [account: string, key: string | null, user: string | null, scopes: string] | null;
};

export type CallSigner = (call: CallToSign, nowMs?: number) => string;

/** @param ring the process's own key first. Its id must name the sender. */
export function createCallSigner(ring: readonly NamedKey[]): CallSigner {
  const own = ring[0];
  if (!own) throw new Error('a signing key is needed');
  return (call, nowMs = Date.now()) => {
    const { caller } = call;
    const claims: Claims = {
      k: own.id,
      s: call.sender,
      a: call.audience,
      m: call.method,
      p: call.path,
      e: Math.floor(nowMs / 1000) + lifetimeSeconds,
      r: call.requestId,
      c: caller && [caller.accountId, caller.keyId, caller.userId, caller.scopes.join(' ')],
    };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `${payload}.${createHmac('sha256', own.key).update(payload).digest('base64url')}`;
  };
}

export type CallVerifier = (
  header: unknown,
  method: string,
  path: string,
  nowMs?: number,
) => VerifiedCall | null;

/** @param ring every key that is believed; a key speaks only for the service that its id names. */
export function createCallVerifier(ring: readonly NamedKey[], audience: ServiceName): CallVerifier {
  const keys = new Map(ring.map(entry => [entry.id, entry.key]));
  return (header, method, path, nowMs = Date.now()) => {
    if (typeof header !== 'string' || header.length > 8_192) return null;
    const dot = header.indexOf('.');
    const payload = header.slice(0, dot);
    const claims = readClaims(payload);
    const key = claims && keys.get(claims.k);
    if (!claims || !key) return null;
    const expected = createHmac('sha256', key).update(payload).digest();
    const given = Buffer.from(header.slice(dot + 1), 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const nowSeconds = nowMs / 1000;
    const isCurrent =
      claims.e >= nowSeconds - skewSeconds && claims.e <= nowSeconds + lifetimeSeconds + skewSeconds;
    const isMine = claims.a === audience && claims.m === method && claims.p === path;
    const isOwnKey = claims.k === claims.s || claims.k.startsWith(`${claims.s}.`);
    if (!isCurrent || !isMine || !isOwnKey) return null;
    return { sender: claims.s as ServiceName, requestId: claims.r, caller: readCaller(claims) };
  };
}

function readClaims(payload: string): Claims | null {
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    return typeof claims === 'object' && claims !== null ? claims : null;
  } catch {
    return null;
  }
}

function readCaller(claims: Claims): Caller | null {
  if (!claims.c) return null;
  const [accountId, keyId, userId, scopes] = claims.c;
  return { accountId, keyId, userId, scopes: scopes ? (scopes.split(' ') as Scope[]) : [] };
}
