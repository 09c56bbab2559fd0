import { expect, it } from 'vitest';
import { deckIn, toldBy } from './event.ts';

const names = new Map([['account_1', '@studio.nord']]);
const told = (data: Record<string, unknown>) => toldBy({ data }, names);

it('a post that failed names its deck, its account and why', () => {
  const failure = { code: 'missed', message: 'It could not go out in time.' };
  expect(
    told({ id: 's_1', contentId: 'content_1', title: 'Stones', tiktokAccountId: 'account_1', failure }),
  ).toEqual({ title: 'Stones', account: '@studio.nord', why: failure.message });
});

it('a decision names the deck by its hook, and what the person wrote', () => {
  const approval = { decision: 'rejected', reason: 'Too long' };
  expect(told({ id: 'content_1', result: { hook: 'Stones' }, approval })).toEqual({
    title: 'Stones',
    account: undefined,
    why: 'Too long',
  });
});

it.each([
  ['of a post', { id: 's_1', contentId: 'content_1' }],
  ['of a deck that was made', { id: 'job_1', resourceId: 'content_1' }],
  ['of a decision', { id: 'content_1' }],
])('the event %s names its deck', (_of, data) => {
  expect(deckIn({ data })).toBe('content_1');
});

it('an account is named by its handle, or else as it calls itself', () => {
  expect(told({ id: 'account_2', username: 'maya', displayName: 'Maya' }).account).toBe('@maya');
  expect(told({ id: 'account_2', username: null, displayName: 'Maya' }).account).toBe('Maya');
});
