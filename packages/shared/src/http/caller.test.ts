import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approvalPolicies } from '../contracts/approval-policy.ts';
import {
  bareCaller,
  bodyDigest,
  type CallToSign,
  callerHeader,
  createCallSigner,
  createCallVerifier,
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
    expect(verify(sign(call, nowMs), ...asked, nowMs)).toMatchObject({ sender, requestId, caller });
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

  it('names the actor by its id where the sender knows no name', () => {
    const caller = bareCaller(call.caller!);
    expect(verify(sign({ ...call, caller }, nowMs), ...asked, nowMs)?.caller).toEqual({
      ...caller,
      actor: { kind: 'key', id: 'key_1', name: 'key_1', creatorId: null },
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

  it('carries the digest of the body and the address of the client', () => {
    const headers = sign({ ...call, body: '{"a":1}', address: '2001:db8:0:1::/64' }, nowMs);
    const sent = { bodyDigest: bodyDigest('{"a":1}'), address: '2001:db8:0:1::/64' };
    expect(verify(headers, ...asked, nowMs)?.signed).toMatchObject(sent);
    const bare = verify(sign(call, nowMs), ...asked, nowMs)?.signed;
    expect(bare).toMatchObject({ bodyDigest: '', address: null });
  });

  it.each([
    ['the account', 'acct_1', 'acct_2'],
    ['a scope', 'content:read', 'schedules:write'],
    ['the name of the actor', 'agent', 'Maya'],
    ['the creator of the key', 'user_1', 'user_2'],
    ['the policy', '1111', ''],
    ['the body', bodyDigest('{"a":1}'), bodyDigest('{"a":2}')],
    ['the address', '203.0.113.7', '203.0.113.8'],
    ['the time', `${nowMs / 1000 + 30}`, `${nowMs / 1000 + 31}`],
  ])('is refused after a change of %s', (_, from, to) => {
    const caller = { ...call.caller!, approvalPolicy: approvalPolicies.strict };
    const header = sign({ ...call, caller, body: '{"a":1}', address: '203.0.113.7' }, nowMs)[callerHeader];
    expect(verify({ [callerHeader]: header }, ...asked, nowMs)).not.toBeNull();
    expect(header).toContain(from);
    expect(verify({ [callerHeader]: header.replace(from, to) }, ...asked, nowMs)).toBeNull();
  });

  it('is refused with another signature, or without one', () => {
    const claims = sign(call, nowMs)[callerHeader].split('.').slice(0, -1).join('.');
    const strange = createHmac('sha256', randomBytes(32)).update(claims).digest('base64url');
    for (const forged of [`${claims}.${strange}`, `${claims}.`, claims, '']) {
      expect(verify({ [callerHeader]: forged }, ...asked, nowMs)).toBeNull();
    }
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
    ['claims of an unknown key', ';;;;;;;;;;;;.c2ln'],
    ['a text without end', 'a'.repeat(10_000)],
  ])('refuses %s', (_, header) => {
    expect(verify({ [callerHeader]: header }, ...asked, nowMs)).toBeNull();
  });
});
