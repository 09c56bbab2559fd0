import { execFileSync } from 'node:child_process';
import { approvalPolicies } from '@hookline/shared/contracts/approval-policy';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { Content, Job } from '@hookline/shared/contracts/content';
import type { Caller } from '@hookline/shared/http';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { SIGNUP_CREDITS: '5', DAILY_GENERATIONS: '8' } }));

describe('POST /v1/content', () => {
  it('201 ready with text only for a plain slideshow, one credit charged', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const answer = await under.create(caller, { appId, type: 'slideshow' });
    expect(answer.status).toBe(201);
    const content = dataOf<Content>(answer);
    expect(content).toMatchObject({
      status: 'ready',
      approvalStatus: 'pending',
      costCharged: 1,
      version: 1,
      images: [],
      approval: null,
      origin: null,
    });
    expect(content.result?.bodySlides).toHaveLength(4);
    expect(content.result?.hookOptions[0]).toBe(content.result?.hook);
    for (const tag of content.result?.hashtags ?? []) expect(tag).toMatch(/^#/);
    const ledger = await under.service.call('GET', `/v1/credits/ledger?contentId=${content.id}`, { caller });
    expect(dataOf(ledger)).toMatchObject([{ amount: -1, reason: 'generation', contentId: content.id }]);
  });

  it('201 with finished slide images for a quote-card, links that open without a key', async () => {
    const deck = await under.readyDeck(testCaller());
    expect(deck.images.map(image => image.index)).toEqual([1, 2, 3, 4, 5, 6]);
    const image = deck.images[0];
    const path = new URL(image?.url ?? '').pathname + new URL(image?.url ?? '').search;
    const opened = await fetch(under.service.url + path);
    expect(opened.status).toBe(200);
    const bytes = Buffer.from(await opened.arrayBuffer());
    expect(bytes.length).toBe(image?.bytes);
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const forged = await fetch(under.service.url + path.replace(/s=.{4}/, 's=AAAA'));
    expect(forged.status).toBe(404);
  });

  it('a repeated key gets the first answer byte for byte, charged once, even ten times at once', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const body = { appId, type: 'slideshow', brief: { topic: 'mornings' } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => under.create(caller, body, 'same-key')),
    );
    const later = await under.create(caller, body, '"same-key"');
    expect(new Set([...answers, later].map(answer => answer.text)).size).toBe(1);
    expect(answers.filter(answer => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(9);
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ balance: 4, spent: 1, dailyGeneration: { used: 1, limit: 8 } });
  });

  it('400 idempotency_key_reused when a key comes again with another body', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    await under.create(caller, { appId, type: 'slideshow' }, 'one');
    const other = await under.create(caller, { appId, type: 'slideshow', brief: { topic: 'x' } }, 'one');
    expect([other.status, codeOf(other)]).toEqual([400, 'idempotency_key_reused']);
    expect(messageOf(other)).toMatch(/^Idempotency-Key /);
  });

  it.each(['illustrated', 'hook_video'])(
    '201 failed with notice for %s, no charge, also without credits',
    async type => {
      const caller = testCaller();
      const appId = await under.importApp(caller);
      const answer = await under.create(caller, { appId, type });
      expect(answer.status).toBe(201);
      expect(dataOf(answer)).toMatchObject({
        status: 'failed',
        notice: 'generation_not_wired',
        costCharged: 0,
        result: null,
        error: { code: 'not_implemented' },
      });
    },
  );

  it('says with a notice that a topic needs a model, or that the listing is too short; both are charged', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const write = async (brief: Brief) =>
      dataOf<Content>(await under.create(caller, { appId, type: 'slideshow', brief }));
    const made = [
      await write({ topic: 'jet lag' }),
      await write({ hook: '30 ways to keep a habit' }),
      await write({}),
    ];
    expect(made.map(({ status, costCharged, notice }) => [status, costCharged, notice])).toEqual([
      ['ready', 1, 'topic_needs_model'],
      ['ready', 1, 'listing_too_short'],
      ['ready', 1, undefined],
    ]);
    const answer = await under.service.call('GET', `/v1/content/${made[0]?.id}`, { caller });
    expect(dataOf<Content>(answer).notice).toBe('topic_needs_model');
  });

  it('404 not_found for an app of another account; the key stays free', async () => {
    const caller = testCaller();
    const foreign = await under.importApp(testCaller());
    const answer = await under.create(caller, { appId: foreign, type: 'slideshow' }, 'k');
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    const appId = await under.importApp(caller);
    expect((await under.create(caller, { appId, type: 'slideshow' }, 'k')).status).toBe(201);
  });

  it('brief.hook is kept word for word, and its count sets the number of slides', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const hook = '7 habits small enough for a bad day';
    const answer = await under.create(caller, { appId, type: 'slideshow', brief: { hook, ctaMode: 'none' } });
    const { result } = dataOf<Content>(answer);
    expect(result?.hook).toBe(hook);
    expect(result?.hookOptions).toEqual([hook]);
    expect(result?.bodySlides).toHaveLength(7);
  });

  it('job.completed is published with the job, once per content', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const content = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow' }));
    const message = await eventually(() => {
      const found = under.service.published.filter(entry => entry.key === content.id);
      expect(found).toHaveLength(1);
      return found[0];
    });
    expect(message?.headers).toMatchObject({
      ce_type: 'job.completed',
      ce_accountid: caller.accountId,
      ce_sequence: '1',
    });
    const job = await under.service.call('GET', `/v1/jobs/${content.id}`, { caller });
    expect(JSON.parse(message?.value ?? '').job).toEqual(dataOf<Job>(job));
  });
});

describe('approve and reject', () => {
  const review = (caller: ReturnType<typeof testCaller>, id: string, what: string, body?: unknown) =>
    under.service.call('POST', `/v1/content/${id}/${what}`, {
      caller,
      ...(body === undefined ? {} : { body }),
    });

  it('200: approve and reject overrule each other; a repeated decision makes no new event', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const approved = await review(caller, deck.id, 'approve');
    expect(dataOf(approved)).toMatchObject({
      approvalStatus: 'approved',
      approval: { version: 1, decision: 'approved', keyId: caller.keyId },
    });
    await review(caller, deck.id, 'approve');
    // Somebody who still saw it waiting overrides nobody.
    const unaware = await review(caller, deck.id, 'reject', { version: 1, approvalStatus: 'pending' });
    expect(codeOf(unaware)).toBe('not_ready');
    const rejected = await review(caller, deck.id, 'reject', { version: 1 });
    expect(dataOf(rejected)).toMatchObject({ approvalStatus: 'rejected' });
    await eventually(() => {
      const types = under.service.published
        .filter(entry => entry.key === deck.id)
        .map(entry => entry.headers.ce_type);
      expect(types).toContain('content.rejected');
      expect(types.filter(type => type === 'content.approved')).toHaveLength(1);
    });
  });

  it('409 not_ready for a failed content and for another version', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const failed = dataOf<Content>(await under.create(caller, { appId, type: 'hook_video' }));
    expect(codeOf(await review(caller, failed.id, 'approve'))).toBe('not_ready');
    const deck = await under.readyDeck(caller);
    const stale = await review(caller, deck.id, 'approve', { version: 2 });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'not_ready']);
  });

  it('a decision names who decided and why, in the record and in the event', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const by = { kind: 'key', id: caller.keyId, name: 'test key' };
    expect(dataOf(await review(caller, deck.id, 'approve'))).toMatchObject({
      approval: { by, reason: null },
    });
    const maya = testPerson(caller, 'Zoë 日本');
    const rejected = dataOf<Content>(await review(maya, deck.id, 'reject', { reason: 'Not our voice.' }));
    expect(rejected.approval).toMatchObject({
      keyId: null,
      by: { kind: 'person', id: maya.userId, name: 'Zoë 日本' },
      reason: 'Not our voice.',
    });
    await eventually(() => {
      const events = under.service.published.filter(({ key }) => key === deck.id);
      const event = events.find(({ headers }) => headers.ce_type === 'content.rejected');
      expect(JSON.parse(event?.value ?? '{}').content?.approval).toEqual(rejected.approval);
    });
  });

  it.each([
    ['approve', { reason: 'x' }, 'reason is not a known field'],
    ['reject', { reason: ' ' }, 'reason must be a text of 1 to 500 characters that is not blank'],
    ['reject', { reason: 'x'.repeat(501) }, 'reason must be a text of 1 to 500 characters that is not blank'],
  ])('400 for %s with %j', async (what, body, message) => {
    const answer = await review(testCaller(), 'content_1', what, body);
    expect([answer.status, codeOf(answer), messageOf(answer)]).toEqual([400, 'invalid_request', message]);
  });

  it('under a strict policy an agent cannot approve, unread or its own text; its person neither, another person can', async () => {
    const owner = testCaller();
    const maya = testPerson(owner, 'Maya');
    const approvalPolicy = approvalPolicies.strict;
    const actor = { ...owner.actor!, creatorId: maya.userId };
    const agent = { ...owner, actor, approvalPolicy };
    const deck = await under.readyDeck(agent);
    const edited = { caller: agent, body: { caption: 'Swapped after you looked' } };
    expect((await under.service.call('PATCH', `/v1/content/${deck.id}`, edited)).status).toBe(200);
    const asked: [Caller, unknown][] = [
      [agent, { version: 2 }],
      [{ ...maya, approvalPolicy }, { version: 2 }],
      [{ ...testPerson(owner, 'Ben'), approvalPolicy }, {}],
      [{ ...testPerson(owner, 'Ben'), approvalPolicy }, { version: 1 }],
      [{ ...testPerson(owner, 'Ben'), approvalPolicy }, { version: 2 }],
    ];
    const answers: unknown[] = [];
    for (const [caller, body] of asked) {
      const answer = await review(caller, deck.id, 'approve', body);
      answers.push(answer.status === 200 ? dataOf<Content>(answer).approval?.by?.name : codeOf(answer));
    }
    expect(answers).toEqual(['missing_scope', 'missing_scope', 'invalid_request', 'not_ready', 'Ben']);
  });
});

describe('PATCH /v1/content/{id}', () => {
  it('an edit raises the version, draws again, requires a new approval and costs nothing', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    await under.service.call('POST', `/v1/content/${deck.id}/approve`, { caller });
    const edited = await under.service.call('PATCH', `/v1/content/${deck.id}`, {
      caller,
      body: { hook: 'A calmer way to keep habits' },
    });
    const content = dataOf<Content>(edited);
    expect(content).toMatchObject({ version: 2, approvalStatus: 'pending', approval: null, costCharged: 1 });
    expect(content.result?.hook).toBe('A calmer way to keep habits');
    expect(content.result?.hookOptions[0]).toBe('A calmer way to keep habits');
    expect(content.images.map(image => image.url)).not.toEqual(deck.images.map(image => image.url));
    const credits = await under.service.call('GET', '/v1/credits', { caller });
    expect(dataOf(credits)).toMatchObject({ spent: 1 });
  });

  it('?dryRun=true draws the edited deck under links of 10 minutes and changes nothing', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const get = async () =>
      dataOf<Content>(await under.service.call('GET', `/v1/content/${deck.id}`, { caller }));
    const follow = (url: string) => under.service.call('GET', url.slice(new URL(url).origin.length));
    const preview = async (body: unknown) =>
      dataOf<Content>(
        await under.service.call('PATCH', `/v1/content/${deck.id}?dryRun=true`, { caller, body }),
      );
    await under.service.call('POST', `/v1/content/${deck.id}/approve`, { caller });
    const before = await get();
    const shown = await preview({ hook: 'A calmer way to keep habits' });
    expect(shown).toMatchObject({ id: deck.id, version: 2, approvalStatus: 'pending', approval: null });
    expect(shown.result?.hook).toBe('A calmer way to keep habits');
    expect(shown.images).toHaveLength(deck.images.length);
    const caption = await preview({ caption: 'Other words' });
    expect(caption.result?.caption).toBe('Other words');
    for (const { url, thumbnailUrl } of [shown.images[0]!, caption.images[1]!]) {
      const left = Number(new URL(url).searchParams.get('e')) - Date.now() / 1_000;
      expect(left).toBeGreaterThan(590);
      expect(left).toBeLessThanOrEqual(600);
      for (const link of [url, String(thumbnailUrl)]) {
        const answer = await follow(link);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      }
      const forged = url.replace(/_[0-9a-f]{8}/, '_00000000');
      expect((await follow(forged)).status).toBe(404);
    }
    const now = await get();
    const withoutLinks = ({ images, ...content }: Content) => content;
    expect(withoutLinks(now)).toEqual(withoutLinks(before));
    const fileOf = async ({ url }: { url: string }) => (await follow(url)).headers.get('etag');
    expect(await fileOf(shown.images[0]!)).not.toBe(await fileOf(now.images[0]!));
    expect(await fileOf(caption.images[1]!)).toBe(await fileOf(now.images[1]!));
    const versions = await under.service.db.query(
      'select distinct version from slide_images where content_id = $1',
      [deck.id],
    );
    expect(versions).toEqual([{ version: 1 }]);
    const rows = await under.service.db.query(
      'select cardinality(stamps) as count from edit_draws where account_id = $1',
      [caller.accountId],
    );
    expect(rows).toEqual([{ count: 1 }]);
    const strange = await under.service.call('PATCH', `/v1/content/${deck.id}?dryRun=yes`, {
      caller,
      body: { caption: '' },
    });
    expect([strange.status, messageOf(strange)]).toEqual([400, 'dryRun must be one of true, false']);
  });

  it('long edits of one account, which take every slot, do not hold up the deck of another', async () => {
    const [attacker, other] = [testCaller(), testCaller()];
    const appId = await under.importApp(other);
    const decks = [await under.readyDeck(attacker), await under.readyDeck(attacker)];
    const bodySlides = Array.from({ length: 40 }, (_, at) => ({ text: `Advice number ${at + 1}` }));
    const ends: string[] = [];
    const edits = decks.map(async ({ id }) => {
      const answer = await under.service.call('PATCH', `/v1/content/${id}`, {
        caller: attacker,
        body: { bodySlides },
      });
      ends.push('edit');
      return answer.status;
    });
    // Both are being drawn.
    await new Promise(resolve => setTimeout(resolve, 300));
    const body = { appId, type: 'slideshow', brief: { templateId: 'quote-card', slideCount: 3 } };
    expect((await under.create(other, body)).status).toBe(201);
    ends.push('deck');
    expect(await Promise.all(edits)).toEqual([200, 200]);
    expect(ends).toEqual(['deck', 'edit', 'edit']);
  });

  it('429 for the 31st drawing edit of a minute; an edit that draws nothing succeeds', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const edit = (body: unknown) => under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body });
    // 29 of this minute and one of the minute before.
    await under.service.db.query(
      `insert into edit_draws (account_id, stamps)
       select $1, array_agg(now() - age * interval '1 second')
       from (select generate_series(1, 29) union all select 61) as past (age)`,
      [caller.accountId],
    );
    expect((await edit({ hook: 'The thirtieth' })).status).toBe(200);
    const refused = await edit({ hook: 'The thirty-first' });
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await edit({ caption: 'Words below the slides' })).status).toBe(200);
    const rows = await under.service.db.query<{ count: number }>(
      'select cardinality(stamps) as count from edit_draws where account_id = $1',
      [caller.accountId],
    );
    expect(rows).toEqual([{ count: 30 }]);
  });

  it('concurrent edits each raise the version by one and keep the fields they do not name', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const bodies = Array.from({ length: 16 }, (_, at) =>
      at % 4 ? { caption: `c${at}` } : { hook: `h${at}` },
    );
    const edits = await Promise.all(
      bodies.map(body => under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body })),
    );
    // They take turns. The last of 16 waits too long on a busy machine, and is refused unapplied.
    const done = edits.filter(({ status }) => status === 200);
    expect(edits.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(done.length).toBeGreaterThan(4);
    const versions = done.map(edit => dataOf<Content>(edit).version);
    expect(versions.toSorted((left, right) => left - right)).toEqual(done.map((_, at) => at + 2));
    const after = dataOf<Content>(await under.service.call('GET', `/v1/content/${deck.id}`, { caller }));
    expect(after.version).toBe(done.length + 1);
    const isDone = (_: unknown, at: number): boolean => edits[at]?.status === 200;
    const [hook, caption] = ['hook', 'caption'].map(name =>
      bodies.filter(isDone).findLast(body => name in body),
    );
    expect(after.result).toMatchObject({ ...hook, ...caption });
    expect(after.images).toHaveLength(deck.images.length);
  });

  it('an edit that changes no slide keeps the images under new links', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const body = { caption: 'New words below', hashtags: [] };
    const edited = dataOf<Content>(
      await under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body }),
    );
    const sizes = ({ images }: Content) => images.map(({ index, bytes }) => [index, bytes]);
    expect(sizes(edited)).toEqual(sizes(deck));
    expect(edited.images[0]?.url.split('?')[0]).not.toBe(deck.images[0]?.url.split('?')[0]);
  });

  it.each(['#\u0000', '#\ud800'])('400 naming the hashtag for %j, which Postgres cannot store', async tag => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const body = { hashtags: [tag] };
    const answer = await under.service.call('PATCH', `/v1/content/${deck.id}`, { caller, body });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toContain('hashtags[0] must not hold the character U+0000');
  });

  it('400 naming the field of a text that cannot be drawn, and changes nothing', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const answer = await under.service.call('PATCH', `/v1/content/${deck.id}`, {
      caller,
      body: { bodySlides: [{ text: 'Fine.' }, { text: 'w'.repeat(499) }] },
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(messageOf(answer)).toMatch(/^bodySlides\[1\]\.text cannot be drawn: slide 3 /);
    const after = dataOf<Content>(await under.service.call('GET', `/v1/content/${deck.id}`, { caller }));
    expect(after.version).toBe(1);
  });
});

describe('GET /v1/content/{id}/archive', () => {
  /** Python checks each file's checksum, and prints name, size and the caption. */
  const unzip = (bytes: Buffer): unknown =>
    JSON.parse(
      execFileSync(
        'python3',
        [
          '-c',
          'import io,json,sys,zipfile\n' +
            'z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))\n' +
            'assert z.testzip() is None\n' +
            'print(json.dumps([[i.filename,i.file_size] for i in z.infolist()]+[z.read("caption.txt").decode()]))',
        ],
        { input: bytes, encoding: 'utf8' },
      ),
    );

  it('has the slides in order and their texts, the same bytes each time', async () => {
    const caller = testCaller();
    const deck = await under.readyDeck(caller);
    const path = `/v1/content/${deck.id}/archive`;
    const answer = await under.service.call('GET', path, { caller });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${deck.id}.zip"`);
    const { hook = '', caption = '', hashtags = [] } = deck.result ?? {};
    const text = `${hook}\n\n${caption}\n\n${hashtags.join(' ')}\n`;
    expect(unzip(answer.bytes)).toEqual([
      ...deck.images.map(({ index, bytes }) => [`0${index}.jpg`, bytes]),
      ['caption.txt', Buffer.byteLength(text)],
      text,
    ]);
    const again = await under.service.call('GET', path, { caller });
    expect(again.bytes.equals(answer.bytes)).toBe(true);
  });

  it('409 no_images for a deck without slides, 404 for another account', async () => {
    const caller = testCaller();
    const appId = await under.importApp(caller);
    const { id } = dataOf<Content>(await under.create(caller, { appId, type: 'slideshow' }));
    const path = `/v1/content/${id}/archive`;
    const without = await under.service.call('GET', path, { caller });
    expect([without.status, codeOf(without)]).toEqual([409, 'no_images']);
    const foreign = await under.service.call('GET', path, { caller: testCaller() });
    expect([foreign.status, codeOf(foreign)]).toEqual([404, 'not_found']);
  });
});
