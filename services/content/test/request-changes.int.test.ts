import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { Content, ContentCounts } from '@hookline/shared/contracts/content';
import type { ContentMoment } from '@hookline/shared/contracts/content-timeline';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { askForChanges } from '../src/approvals/request-changes.ts';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent());
const reason = 'Name the app on the first slide.';

const ask = (caller: Caller, deck: Content, body: unknown = { reason }) =>
  under.service.call('POST', `/v1/content/${deck.id}/request-changes`, { caller, body });
const get = async <T>(caller: Caller, path: string) =>
  dataOf<T>(await under.service.call('GET', `/v1/content${path}`, { caller }));
const change = (caller: Caller, deck: Content) =>
  under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body: { caption: 'Another caption.' } });

describe('POST /v1/content/{id}/request-changes', () => {
  it('takes the content out of the queue and its count until its next version', async () => {
    const caller = testCaller();
    const person = testPerson(caller, 'Anna');
    const deck = await under.readyDeck(caller);
    const asked = dataOf<Content>(await ask(person, deck));
    expect(asked).toMatchObject({
      approvalStatus: 'pending',
      approval: null,
      changesRequested: { reason, by: { kind: 'person', name: 'Anna' } },
    });
    expect(await get(caller, `/${deck.id}`)).toMatchObject({ changesRequested: asked.changesRequested });
    expect(await get(caller, '?approvalStatus=pending')).toEqual([]);
    expect(await get<Content[]>(caller, '?changesRequested=true')).toMatchObject([{ id: deck.id }]);
    expect(await get<ContentCounts>(caller, '/counts')).toMatchObject({ pending: 0, changesRequested: 1 });
    const edited = dataOf<Content>(await change(caller, deck));
    expect(edited).toMatchObject({ version: 2, approvalStatus: 'pending' });
    expect(edited.changesRequested).toBeNull();
    expect(await get<Content[]>(caller, '?approvalStatus=pending')).toMatchObject([{ id: deck.id }]);
    expect(await get<ContentCounts>(caller, '/counts')).toMatchObject({ pending: 1, changesRequested: 0 });
    const moments = await get<ContentMoment[]>(caller, `/${deck.id}/timeline`);
    expect(moments.map(({ what, detail }) => [what, detail])).toContainEqual(['changes_requested', reason]);
  });

  it('is an event with the content, and a later request replaces the reason; the next version is an event too', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await ask(caller, deck);
    await ask(caller, deck, { reason: 'Shorter.', version: 1, approvalStatus: 'pending' });
    expect(await get(caller, `/${deck.id}`)).toMatchObject({ changesRequested: { reason: 'Shorter.' } });
    await change(caller, deck);
    await under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body: { caption: 'A third.' } });
    await under.service.call('POST', `/v1/content/${deck.id}/reject`, { caller, body: {} });
    await change(caller, deck);
    await eventually(async () => {
      const events = under.service.published.filter(
        ({ key, topic }) => key === deck.id && topic === 'content.approvals',
      );
      expect(events.map(({ headers }) => headers.ce_type)).toEqual([
        'content.changes_requested',
        'content.changes_requested',
        'content.edited',
        'content.rejected',
        'content.edited',
      ]);
    });
  });

  it('a link decides nothing once it was committed, however early the link was read', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const by = { kind: 'reviewer', id: newId('review'), name: 'Kim' };
    const decision = { kind: 'approved', reason: null, by };
    const decide = () =>
      under.service.call('POST', `/internal/content/${deck.id}/review-by-link`, {
        ...{ caller, sender: 'gateway', body: { version: 1, decision } },
      });
    const { db } = under.service;
    let decided: ReturnType<typeof decide> | undefined;
    await db.transaction(async tx => {
      await askForChanges({ now: () => new Date() }, tx, { caller, contentId: deck.id, seen: {}, reason });
      decided = decide();
      await lockWaits(db);
    });
    const answer = await decided!;
    expect([answer.status, codeOf(answer)]).toEqual([409, 'not_ready']);
    expect(messageOf(answer)).toMatch(/^Another version was asked for/);
    expect((await decide()).status).toBe(409);
    expect(await get(caller, `/${deck.id}`)).toMatchObject({ approvalStatus: 'pending' });
  });

  it('a decision on the version ends it', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await ask(caller, deck);
    const approved = await under.service.call('POST', `/v1/content/${deck.id}/approve`, { caller, body: {} });
    expect(dataOf<Content>(approved)).toMatchObject({ approvalStatus: 'approved' });
    expect(dataOf<Content>(approved).changesRequested).toBeNull();
  });

  it('409 not_ready for a decided content and for another version', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    expect(codeOf(await ask(caller, deck, { reason, version: 2 }))).toBe('not_ready');
    await under.service.call('POST', `/v1/content/${deck.id}/reject`, { caller, body: {} });
    const answer = await ask(caller, deck);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'not_ready']);
    expect(messageOf(answer)).toMatch(/does not wait for a decision/);
  });

  it('403 missing_scope for a key under people_only, and 400 without the version that the policy asks for', async () => {
    const caller = { ...testCaller(), approvalPolicy: approvalPolicies.strict };
    const deck = await under.readyDeck(caller);
    expect(codeOf(await ask(caller, deck, { reason, version: 1 }))).toBe('missing_scope');
    const person = testPerson(caller, 'Anna');
    expect(messageOf(await ask(person, deck))).toMatch(/^version is required/);
    expect((await ask(person, deck, { reason, version: 1 })).status).toBe(200);
  });

  it('400 invalid_request without a reason', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const answer = await ask(caller, deck, {});
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(/^reason is required/);
  });

  it('tells the reason to whoever writes the next deck of the app', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await ask(caller, deck);
    const { listDecksBefore } = await import('../src/contents/queries-before.ts');
    const { accountId } = caller;
    const query = { accountId, appId: deck.appId, since: new Date(0), automationId: null };
    expect(await listDecksBefore(under.service.db, query)).toMatchObject([{ rejectReason: reason }]);
  });
});
