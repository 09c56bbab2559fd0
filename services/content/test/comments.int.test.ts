import type { Comment } from '@hookline/shared/contracts/comments';
import type { Content } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent());
let caller: Caller;
let deck: Content;

beforeAll(async () => {
  caller = testCaller();
  deck = await under.readyDeck(caller);
});

const path = () => `/v1/content/${deck.id}/comments`;
const say = (by: Caller, body: unknown, headers = {}) =>
  under.service.call('POST', path(), { caller: by, body, headers });
const list = (query = '') => under.service.call('GET', path() + query, { caller });

describe('comments on a content', () => {
  it('name their author, the version and the slide, and are listed newest first, page by page', async () => {
    const person = testPerson(caller, 'Anna');
    const first = dataOf<Comment>(await say(caller, { text: 'Shorter.', slide: 2 }));
    expect(first).toMatchObject({ contentId: deck.id, version: 1, slide: 2, by: { kind: 'key' } });
    const edit = { caller, body: { caption: 'Another caption.' } };
    await under.service.call('PATCH', `/v1/content/${deck.id}`, edit);
    const second = dataOf<Comment>(await say(person, { text: 'On the whole.' }));
    expect(second).toMatchObject({ version: 2, slide: null, by: { kind: 'person', name: 'Anna' } });
    const page = (await list('?limit=1')).body as { data: Comment[]; nextCursor: string };
    expect(page.data).toEqual([second]);
    expect(dataOf(await list(`?limit=1&cursor=${page.nextCursor}`))).toEqual([first]);
  });

  it('a repeated Idempotency-Key adds one comment', async () => {
    const twice = [1, 2].map(() => say(caller, { text: 'Once.' }, { 'idempotency-key': 'k1' }));
    expect(new Set((await Promise.all(twice)).map(({ text }) => text)).size).toBe(1);
    expect(dataOf<Comment[]>(await list()).filter(({ text }) => text === 'Once.')).toHaveLength(1);
  });

  it.each([
    [{ text: ' ' }, /^text must be a text of 1 to 2000 characters/],
    [{ text: 'x'.repeat(2_001) }, /^text must/],
    [{ text: 'x', slide: 0 }, /^slide must be an integer from 1 to 62/],
    [{ text: 'x', slide: 7 }, /^slide must be a slide of the content, which has 6/],
  ])('400 invalid_request for %j', async (body, message) => {
    const answer = await say(caller, body);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(message);
  });

  it('400 invalid_request for the comment after 1,000', async () => {
    await under.service.db.query(
      `insert into comments (id, content_id, version, text, created_at)
       select 'comment_' || n, $1, 1, 'x', now() from generate_series(1, 1000) as n`,
      [deck.id],
    );
    const answer = await say(caller, { text: 'One more.' });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toMatch(/at most 1000 comments/);
  });
});
