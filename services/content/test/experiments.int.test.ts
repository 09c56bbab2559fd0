import type { Content } from '@hookline/shared/contracts/content';
import type { StartedExperiment } from '@hookline/shared/contracts/experiments';
import { experimentStarted } from '@hookline/shared/events';
import { newId } from '@hookline/shared/kernel';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { testCaller } from '@hookline/testing/service-harness';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, dataOf, messageOf, startContent } from './world.ts';

const under = perSuite(() => startContent({ env: { CREDITS: 'unlimited' } }));
const caller = testCaller();
let appId: string;

beforeAll(async () => {
  appId = await under.importApp(caller);
});

const texts = {
  slides: [{ text: 'Water ferns from below' }, { text: 'Give them shade at noon' }],
  ...{ closing: 'Pebblo', templateId: 'quote-card' },
};
async function newDeck(hook: string, app = appId): Promise<Content> {
  const answer = await under.create(caller, { appId: app, type: 'slideshow', brief: { ...texts, hook } });
  if (answer.status !== 201) throw new Error(answer.text);
  return dataOf<Content>(answer);
}
const start = (id: string, body: object, key = newId('req')) =>
  under.service.call('POST', `/v1/content/${id}/experiment`, {
    caller,
    body: { readAfterHours: 48, ...body },
    headers: { 'idempotency-key': key },
  });
const get = async (id: string) =>
  dataOf<Content>(await under.service.call('GET', `/v1/content/${id}`, { caller }));
const refused = async (id: string, body: object) => {
  const answer = await start(id, body);
  expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
  return messageOf(answer);
};

describe('POST /v1/content/{id}/experiment', () => {
  it('makes a pending copy with each hook, names all decks to analytics, and once a key', async () => {
    const deck = await newDeck('What ferns want');
    const other = await newDeck('What ferns want');
    const body = { hooks: ['Ferns die of love', 'Stop watering ferns'], against: [other.id] };
    const answer = await start(deck.id, body, 'once');
    expect(answer.status, answer.text).toBe(201);
    const started = dataOf<StartedExperiment>(answer);
    const [first, second, ...copies] = started.decks;
    expect([first, second]).toEqual(
      [deck, other].map(({ id }) => ({ contentId: id, hook: 'What ferns want' })),
    );
    expect(copies.map(({ hook }) => hook)).toEqual(body.hooks);
    for (const { contentId, hook } of copies) {
      const copy = await get(contentId);
      expect(copy).toMatchObject({ approvalStatus: 'pending', costCharged: 1, experimentId: started.id });
      expect(copy.result).toMatchObject({ hook, bodySlides: texts.slides, ctaSoft: deck.result?.ctaSoft });
      expect(copy.images).toHaveLength(deck.images.length);
      expect(copy.freshness?.overlap).toBeGreaterThan(0.5);
    }
    expect((await get(deck.id)).experimentId).toBe(started.id);
    expect((await start(deck.id, body, 'once')).text).toBe(answer.text);
    const named = await eventually(async () => {
      const events = under.service.published.filter(
        ({ headers }) => headers.ce_type === experimentStarted.type,
      );
      const own = events
        .map(({ value }) => JSON.parse(value))
        .filter(data => data.decks[0].contentId === deck.id);
      expect(own).not.toEqual([]);
      return own;
    });
    const decks = started.decks.map(row => ({ ...row, version: 1 }));
    expect(named[0]).toEqual({ appId, readAfterHours: 48, decks });
  });

  it('the cover of a copy is drawn anew, and its other slides are those of the deck', async () => {
    const deck = await newDeck('What ferns want');
    const [, copy] = dataOf<StartedExperiment>(await start(deck.id, { hooks: ['Ferns die of love'] })).decks;
    const digests = await Promise.all(
      [deck.id, copy!.contentId].map(id =>
        under.service.db.query<{ digest: string }>(
          `select encode(digest, 'hex') as digest from slide_images where content_id = $1 order by slide_index`,
          [id],
        ),
      ),
    );
    const [before, after] = digests.map(rows => rows.map(({ digest }) => digest));
    expect(after?.map((digest, at) => digest === before?.[at])).toEqual([false, true, true, true]);
  });

  it('404 not_found for a deck of another workspace, which against does not name either', async () => {
    const own = await newDeck('A');
    const foreign = newId('content');
    await under.service.db.query(
      `insert into contents (id, account_id, app_id, type, status, approval_status, version, cost_charged, result, created_at, updated_at)
       select $1, 'acct_other', app_id, type, status, 'pending', 1, 0, result, now(), now() from contents where id = $2`,
      [foreign, own.id],
    );
    for (const id of [foreign, newId('content')]) {
      const answer = await start(id, { hooks: ['B'] });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
      expect(await refused(own.id, { against: [id] })).toBe(
        `against must name decks of the app; ${id} is none`,
      );
    }
  });

  it('409 already_sent once a deck was posted, already_sending while it is', async () => {
    const [sent, waiting] = [await newDeck('A'), await newDeck('B')];
    const permit = (outcome: string | null) =>
      under.service.db.query(
        `insert into send_permits (schedule_id, content_id, version, after_sequence, granted_at, released_at, outcome)
         values ($1, $2, 1, 0, now(), case when $3::text is not null then now() end, $3)`,
        [newId('schedule'), sent.id, outcome],
      );
    await permit('sent');
    const codes = async () =>
      Promise.all([
        start(sent.id, { hooks: ['C'] }).then(codeOf),
        start(waiting.id, { against: [sent.id] }).then(codeOf),
      ]);
    expect(await codes()).toEqual(['already_sent', 'already_sent']);
    await permit(null);
    expect(await codes()).toEqual(['already_sending', 'already_sent']);
  });

  it('409 already_sent where a deck was permitted to be sent while its lock was awaited', async () => {
    const [own, other] = [await newDeck('A'), await newDeck('B')];
    const { db } = under.service;
    const answer = await db.transaction(async tx => {
      await tx.query('select 1 from contents where id = $1 for update', [other.id]);
      const asked = start(own.id, { against: [other.id] });
      await lockWaits(db, 1, '%from contents%for update%');
      await tx.query(
        `insert into send_permits (schedule_id, content_id, version, after_sequence, granted_at)
         values ($1, $2, 1, 0, now())`,
        [newId('schedule'), other.id],
      );
      return { asked };
    });
    expect(codeOf(await answer.asked)).toBe('already_sent');
  });

  it('400 invalid_request for one hook, four, the same again, two apps, a deck twice or in two experiments', async () => {
    const decks: Content[] = [];
    for (const hook of ['A', 'B', 'C', 'D', 'A']) decks.push(await newDeck(hook));
    const elsewhere = await newDeck('B', await under.importApp(caller));
    const [a, b, c, d, again] = decks.map(({ id }) => id) as [string, string, string, string, string];
    expect(await refused(a, { against: [again] })).toContain('two or three hooks in all, not 1');
    expect(await refused(a, { against: [b, c], hooks: ['E'] })).toContain('not 4');
    expect(await refused(a, { hooks: ['A'] })).toContain('hooks must differ');
    expect(await refused(a, { hooks: ['F', 'G \u{13000}'] })).toMatch(/^hooks\[1\] cannot be drawn/);
    expect(await refused(a, { against: [elsewhere.id] })).toContain('one app');
    expect(await refused(a, { against: [b, b] })).toContain('each deck once');
    expect(await refused(a, { against: [] })).toContain('against');
    expect(await refused(a, {})).toContain('must have hooks or against');
    expect(await refused(a, { against: [b], readAfterHours: 23 })).toContain('readAfterHours');
    expect((await start(a, { against: [d] })).status).toBe(201);
    expect(await refused(b, { against: [d] })).toContain('against must name no deck of another experiment');
    expect(await refused(a, { hooks: ['E'] })).toContain('id must name no deck of another experiment');
    const both = await Promise.all([start(b, { against: [c] }), start(c, { against: [b] })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  });

  it('400 invalid_request for a deck that was rejected, until it is edited', async () => {
    const [own, other] = [await newDeck('A'), await newDeck('B')];
    const call = (method: string, path: string, body: object) =>
      under.service.call(method, `/v1/content/${other.id}${path}`, { caller, body });
    expect((await call('POST', '/reject', {})).status).toBe(200);
    expect(await refused(own.id, { against: [other.id] })).toContain(
      `against must name no deck that is not ready`,
    );
    expect(await refused(other.id, { hooks: ['C'] })).toContain('id must name no deck');
    expect((await call('PATCH', '', { caption: 'Another' })).status).toBe(200);
    expect((await start(own.id, { against: [other.id] })).status).toBe(201);
  });
});
