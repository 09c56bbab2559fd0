import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approvalPolicies } from '../contracts/approval-policy.ts';
import {
  actorHeader,
  bareCaller,
  bodyDigest,
  type CallToSign,
  callerHeader,
  createCallSigner,
  createCallVerifier,
  sealHeader,
} from './caller.ts';

const key = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) });
const gateway = key('gateway');
const content = key('content');

const call: CallToSign = {
  sender: 'gateway',
  audience: 'content',
  method: 'POST',
  path: '/v1/content?x=1',
  requestId: 'req_1',
  caller: {
    accountId: 'acct_1',
    keyId: 'key_1',
    userId: null,
    scopes: ['content:read', 'content:write'],
    actor: { kind: 'key', id: 'key_1', name: 'agent', creatorId: 'user_1' },
    approvalPolicy: approvalPolicies.open,
  },
};
const nowMs = 1_763_712_000_000;
const sign = createCallSigner([gateway]);
const verify = createCallVerifier([content, gateway], 'content');
const asked = ['POST', '/v1/content?x=1'] as const;

describe('caller header', () => {
  it('gives the receiver the sender, the request and the caller', () => {
    const { sender, requestId, caller } = call;
    expect(verify(sign(call, nowMs), ...asked, nowMs)).toEqual({ sender, requestId, caller });
  });

  it.each(['Maya', 'Zoë; o’Neill\r\n.', '100% 日本 👩‍👩‍👧', '%41', '%'])('carries the name %j', name => {
    const caller = { ...call.caller!, actor: { ...call.caller!.actor!, name } };
    const header = sign({ ...call, caller }, nowMs);
    for (const text of Object.values(header)) expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(verify(header, ...asked, nowMs)?.caller).toEqual(caller);
  });

  it('carries each field of a policy', () => {
    const { open, strict } = approvalPolicies;
    const mixed = Object.keys(open).map(field => ({ ...open, [field]: strict[field as keyof typeof open] }));
    for (const approvalPolicy of [open, strict, ...mixed]) {
      const caller = { ...call.caller!, approvalPolicy };
      expect(verify(sign({ ...call, caller }, nowMs), ...asked, nowMs)?.caller).toEqual(caller);
    }
  });

  it('has the fields of the version before, whose receivers demand eight', () => {
    expect(sign(call, nowMs)[callerHeader].split(';')).toHaveLength(8);
    expect(sign({ ...call, caller: null }, nowMs)[callerHeader].split(';')).toHaveLength(8);
  });

  it('reads a call of the version before, which names no actor, with the defaults', () => {
    const { [actorHeader]: _, ...before } = sign(call, nowMs);
    const { caller } = verify(before, ...asked, nowMs)!;
    expect(caller).toEqual({
      ...call.caller,
      actor: { kind: 'key', id: 'key_1', name: 'key_1', creatorId: null },
      approvalPolicy: approvalPolicies.open,
    });
  });

  it('names the person of a session', () => {
    const bare = bareCaller({ ...call.caller!, keyId: null, userId: 'user_1' });
    const actor = { kind: 'person', id: 'user_1', name: 'Maya', creatorId: null } as const;
    const header = sign({ ...call, caller: { ...bare, actor } }, nowMs);
    expect(verify(header, ...asked, nowMs)?.caller?.actor).toEqual(actor);
  });

  it('carries no caller where there is none', () => {
    expect(verify(sign({ ...call, caller: null }, nowMs), ...asked, nowMs)).toMatchObject({ caller: null });
  });

  it('is refused by another audience', () => {
    const other = createCallVerifier([gateway], 'scheduling');
    expect(other(sign(call, nowMs), ...asked, nowMs)).toBeNull();
  });

  it.each([
    ['another method', 'GET', '/v1/content?x=1'],
    ['another path', 'POST', '/v1/apps?x=1'],
    ['another query', 'POST', '/v1/content?x=2'],
  ])('is refused with %s', (_, method, path) => {
    expect(verify(sign(call, nowMs), method, path, nowMs)).toBeNull();
  });

  it('lives 30 s, and 5 s more for clocks that differ', () => {
    const header = sign(call, nowMs);
    expect(verify(header, ...asked, nowMs + 35_000)).not.toBeNull();
    expect(verify(header, ...asked, nowMs + 35_001)).toBeNull();
    expect(verify(header, ...asked, nowMs - 5_000)).not.toBeNull();
    expect(verify(header, ...asked, nowMs - 6_000)).toBeNull();
  });

  it('signed with the key of a pair is believed by its audience, which cannot sign in that name for another', () => {
    const [own, toContent, toScheduling] = ['gateway', 'gateway.to-content', 'gateway.to-scheduling'].map(
      key,
    );
    const ofGateway = createCallSigner([own!, toContent!, toScheduling!]);
    const ofContent = [content, toContent!];
    const ofScheduling = [key('scheduling'), toScheduling!];
    const toContentCall = ofGateway(call, nowMs);
    expect(toContentCall[callerHeader]).toMatch(/^gateway\.to-content;/);
    expect(createCallVerifier(ofContent, 'content')(toContentCall, ...asked, nowMs)).not.toBeNull();
    const scheduling = createCallVerifier(ofScheduling, 'scheduling');
    const other = { ...call, audience: 'scheduling' as const };
    expect(scheduling(ofGateway(other, nowMs), ...asked, nowMs)).not.toBeNull();
    // Everything that content holds.
    for (const held of ofContent) {
      expect(scheduling(createCallSigner([held])(other, nowMs), ...asked, nowMs)).toBeNull();
    }
    // Where a ring is not sorted out, a key for another audience is not used either.
    const careless = createCallVerifier([...ofScheduling, toContent!], 'scheduling');
    expect(careless(createCallSigner([toContent!])(other, nowMs), ...asked, nowMs)).toBeNull();
  });

  it("is refused when a service signs in another's name with its own key", () => {
    const forged = createCallSigner([content])(call, nowMs);
    expect(verify(forged, ...asked, nowMs)).toBeNull();
  });

  it('is refused from a key that nobody knows, also under a known id', () => {
    expect(verify(createCallSigner([key('gateway')])(call, nowMs), ...asked, nowMs)).toBeNull();
    expect(verify(createCallSigner([key('gateway.unknown')])(call, nowMs), ...asked, nowMs)).toBeNull();
  });

  it('is believed from a rotated key of the same service, and of no service with a like name', () => {
    const rotated = key('gateway.2026');
    const likeNamed = key('gateway2');
    const ring = createCallVerifier([rotated, likeNamed], 'content');
    expect(ring(createCallSigner([rotated])(call, nowMs), ...asked, nowMs)).not.toBeNull();
    expect(ring(createCallSigner([likeNamed])(call, nowMs), ...asked, nowMs)).toBeNull();
  });

  it.each([
    [callerHeader, 'acct_1', 'acct_2'],
    [actorHeader, 'agent', 'Maya'],
  ] as const)('is refused after any change of the claims or the signature of %s', (name, from, to) => {
    const headers = sign(call, nowMs);
    const header = headers[name]!;
    const [claims, signature] = [
      header.slice(0, header.lastIndexOf('.')),
      header.slice(header.lastIndexOf('.') + 1),
    ];
    const changed = claims.replace(from, to);
    const strange = createHmac('sha256', randomBytes(32)).update(claims).digest('base64url');
    for (const forged of [`${changed}.${signature}`, `${claims}.${strange}`, `${claims}.`, claims, '']) {
      expect(verify({ ...headers, [name]: forged }, ...asked, nowMs)).toBeNull();
    }
  });

  it('is refused with the actor of another call', () => {
    const other = sign({ ...call, requestId: 'req_2' }, nowMs);
    const mixed = { ...sign(call, nowMs), [actorHeader]: other[actorHeader] };
    expect(verify(mixed, ...asked, nowMs)).toBeNull();
  });

  it('seals body and address of a call, and is refused without its seal or with that of another', () => {
    const sealed = { ...call, body: '{"a":1}', address: '203.0.113.7' };
    const headers = sign(sealed, nowMs);
    const seal = { bodyDigest: bodyDigest('{"a":1}'), address: '203.0.113.7' };
    expect(verify(headers, ...asked, nowMs)?.seal).toEqual(seal);
    expect(verify(sign({ ...call, body: null }, nowMs), ...asked, nowMs)?.seal).toEqual({
      bodyDigest: '',
      address: null,
    });
    const { [sealHeader]: own, ...without } = headers;
    const other = sign({ ...sealed, body: '{"a":2}', requestId: 'req_2' }, nowMs)[sealHeader]!;
    for (const forged of [undefined, other, '', own!.replace('203', '204')]) {
      expect(verify({ ...without, [sealHeader]: forged }, ...asked, nowMs)).toBeNull();
    }
  });

  it('is refused without the actor that was sealed, and with it the policy', () => {
    const caller = { ...call.caller!, approvalPolicy: approvalPolicies.strict };
    const headers = sign({ ...call, caller, body: null }, nowMs);
    expect(verify(headers, ...asked, nowMs)?.caller).toEqual(caller);
    const { [actorHeader]: _, ...without } = headers;
    expect(verify(without, ...asked, nowMs)).toBeNull();
    const bare = sign({ ...call, caller: bareCaller(caller), body: null }, nowMs);
    expect(verify(bare, ...asked, nowMs)?.caller?.accountId).toBe('acct_1');
  });

  it('reads a call of the version before, which has no seal', () => {
    expect(verify(sign(call, nowMs), ...asked, nowMs)?.seal).toBeUndefined();
  });

  it('has an expiry that the version before reads as a number', () => {
    const expiresAt = sign({ ...call, body: null }, nowMs)[callerHeader].split(';')[2];
    expect(Number(expiresAt)).toBe(nowMs / 1000 + 30);
  });

  it('is refused when an id would shift its fields', () => {
    const header = sign({ ...call, caller: { ...call.caller!, accountId: 'acct_1;key_2' } }, nowMs);
    expect(verify(header, ...asked, nowMs)).toBeNull();
  });

  it.each([
    ['nothing', undefined],
    ['a list', ['a', 'b']],
    ['an empty text', ''],
    ['no claims', 'none.c2ln'],
    ['claims of an unknown key', ';;;;;;;.c2ln'],
    ['a text without end', 'a'.repeat(10_000)],
  ])('refuses %s', (_, header) => {
    expect(verify({ [callerHeader]: header }, ...asked, nowMs)).toBeNull();
  });
});
