import type { App, Unreviewed } from '@hookline/shared/contracts/apps';
import type { Brief } from '@hookline/shared/contracts/brief';
import type { Content } from '@hookline/shared/contracts/content';
import { automationFired } from '@hookline/shared/events';
import type { Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { lockWaits } from '@hookline/testing/database';
import { eventually } from '@hookline/testing/eventually';
import { testCaller, testPerson } from '@hookline/testing/service-harness';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockApp } from '../src/apps/queries.ts';
import { deletePicture } from '../src/pictures/queries.ts';
import { type ContentUnderTest, codeOf, dataOf, messageOf, startContent } from './world.ts';

let under: ContentUnderTest;
beforeAll(async () => {
  under = await startContent();
});
afterAll(() => under.stop());

let person: Caller;
/** What the key of an agent may: neither approve nor publish. */
let agent: Caller;
let appId: string;
beforeEach(async () => {
  const caller = testCaller();
  person = testPerson(caller, 'Maya');
  agent = { ...caller, scopes: caller.scopes.filter(scope => scope !== 'content:approve') };
  await under.service.db.query(
    `insert into credit_accounts (account_id, balance, granted, created_at, updated_at)
     values ($1, 50, 50, now(), now())`,
    [caller.accountId],
  );
  const listing = {
    name: 'Pebblo',
    description: 'Build tiny habits and place a stone for each one you kept.',
  };
  const made = await under.service.call('POST', '/v1/apps', { caller: person, body: { listing } });
  appId = dataOf<App>(made).id;
});

const call = (method: string, path: string, caller: Caller, body?: unknown) =>
  under.service.call(method, `/v1${path}`, { caller, body });

const setBrand = (caller: Caller, brand: unknown) => call('PATCH', `/apps/${appId}`, caller, { brand });

async function upload(caller: Caller, width: number): Promise<string> {
  const answer = await call('POST', `/apps/${appId}/pictures`, caller, fileForm(tinyPng(width)));
  expect(answer.status).toBe(201);
  return dataOf<{ id: string }>(answer).id;
}

async function marks(id = appId): Promise<Unreviewed[]> {
  return dataOf<App>(await call('GET', `/apps/${id}`, agent)).unreviewed!;
}

const items = async (id?: string) => (await marks(id)).map(({ item }) => item);

async function deck(brief: Brief): Promise<Content> {
  const answer = await under.create(agent, { appId, type: 'slideshow', brief });
  expect(answer.text).toContain('"ready"');
  return dataOf<Content>(answer);
}

const approve = async ({ id, version }: Content, by = person) =>
  await call('POST', `/content/${id}/approve`, by, { version });

/** A firing of an automation that approves by itself. */
async function fire(brief: Brief): Promise<Content & { detail: string | null }> {
  const [automationId, firingId] = [newId('automation'), newId('firing')];
  await under.service.publish(automationFired, {
    subject: automationId,
    accountId: person.accountId,
    data: { automationId, firingId, appId, brief, approvalMode: 'auto', slot: new Date().toISOString() },
  });
  return await eventually(async () => {
    const list = dataOf<Content[]>(await call('GET', '/content', person));
    const found = list.find(row => row.origin?.firingId === firingId);
    expect(found?.status).toBe('ready');
    const timeline = await call('GET', `/content/${found?.id}/timeline`, person);
    return { ...found!, detail: dataOf<{ detail: string | null }[]>(timeline)[0]!.detail };
  }, 40_000);
}

const photos: Brief = { templateId: 'photo-card', slideCount: 3 };
const cards: Brief = { templateId: 'quote-card', slideCount: 3 };

describe('a picture and a handle of somebody who may not approve', () => {
  it('an automation approves no deck with an unreviewed picture or handle until an approved deck has shown them', async () => {
    const good = await upload(person, 30);
    expect((await fire(photos)).approvalStatus).toBe('approved');
    await call('DELETE', `/apps/${appId}/pictures/${good}`, agent);
    const bad = await upload(agent, 31);
    await setBrand(agent, { handle: '@scam.channel' });
    expect(await marks()).toEqual([
      {
        item: 'brand.handle',
        by: { kind: 'key', id: agent.keyId, name: 'test key' },
        at: expect.any(String),
      },
      {
        item: 'picture',
        pictureId: bad,
        by: { kind: 'key', id: agent.keyId, name: 'test key' },
        at: expect.any(String),
      },
    ]);
    const waiting = await fire(photos);
    expect(waiting).toMatchObject({ approvalStatus: 'pending', approval: null });
    expect(waiting.detail).toMatch(
      /nobody who may approve has reviewed in the app \(brand.handle, picture\)/,
    );

    // Decks that show neither, and a change of something else by somebody who may approve.
    for (const brief of [{ slideCount: 3 }, { ...cards, ctaMode: 'none' as const }]) {
      expect((await approve(await deck({ ...brief, hook: 'Three small habits' }))).status).toBe(200);
    }
    await setBrand(person, { avoidWords: ['cheap'], voice: ['Calm.'] });
    expect(await items()).toEqual(['brand.handle', 'picture']);
    expect((await fire(photos)).approvalStatus).toBe('pending');

    // One that shows the handle only.
    await approve(await deck(cards));
    expect(await items()).toEqual(['picture']);
    expect((await fire(cards)).approvalStatus).toBe('approved');
    expect((await fire(photos)).approvalStatus).toBe('pending');
    await approve(waiting);
    expect(await items()).toEqual([]);
    expect((await fire(photos)).approvalStatus).toBe('approved');
  }, 120_000);

  it('an unreviewed value keeps its mark when the approved deck shows the value before it', async () => {
    await setBrand(agent, { handle: '@pebblo' });
    const drawn = await deck(cards);
    await setBrand(agent, { handle: '@scam.channel' });
    await approve(drawn);
    expect(await items()).toEqual(['brand.handle']);
    await approve(await deck(cards));
    expect(await items()).toEqual([]);
  });

  it('an edit keeps the picture and handle that the deck was drawn with', async () => {
    const drawn = await deck(cards);
    await setBrand(agent, { handle: '@scam.channel' });
    const edit = (body: unknown) => call('PATCH', `/content/${drawn.id}`, agent, body);
    // Without a slide that changes, the slides are those of before.
    await approve(dataOf<Content>(await edit({ caption: 'Another caption.' })));
    expect(await items()).toEqual(['brand.handle']);
    await approve(dataOf<Content>(await edit({ hook: 'Three quiet habits' })));
    expect(await items()).toEqual([]);
  });
});

it('an item has a mark only while it has a value of somebody who may not approve', async () => {
  await setBrand(person, { handle: '@pebblo', fonts: 'manrope' });
  await setBrand(agent, { handle: '@pebblo', fonts: 'anton-jakarta' });
  expect(await items()).toEqual(['brand.fonts']);
  await setBrand(person, { fonts: 'anton-jakarta', handle: '@pebblo' });
  expect(await items()).toEqual(['brand.fonts']);
  await setBrand(person, { fonts: 'manrope' });
  expect(await items()).toEqual([]);
  const picture = await upload(agent, 32);
  expect(await items()).toEqual(['picture']);
  await call('DELETE', `/apps/${appId}/pictures/${picture}`, agent);
  expect(await items()).toEqual([]);
});

it('a deleted picture is no logo; the change needs a review, which a deck that shows the logo does not give', async () => {
  const logo = await upload(person, 35);
  const logoOf = async () => dataOf<App>(await call('GET', `/apps/${appId}`, person)).brand?.logoImageId;
  await setBrand(person, { logoImageId: logo, handle: '@pebblo' });
  const drawn = await deck(cards);
  await call('DELETE', `/apps/${appId}/pictures/${logo}`, agent);
  expect([await logoOf(), await items()]).toEqual([null, ['brand.logoImageId']]);
  await approve(drawn);
  expect((await fire(cards)).detail).toMatch(/\(brand.logoImageId\)/);
  await approve(await deck(cards));
  expect(await items()).toEqual([]);
}, 60_000);

it('a logo keeps its mark when the approved deck has no slide that shows it', async () => {
  await setBrand(agent, { logoImageId: await upload(agent, 36) });
  await approve(await deck({ ...cards, ctaMode: 'none' }));
  expect(await items()).toEqual(['brand.logoImageId', 'picture']);
  await approve(await deck(cards));
  expect(await items()).toEqual([]);
}, 60_000);

it('an approval waits for the deletion of a picture that the deck shows', async () => {
  const picture = await upload(agent, 37);
  await setBrand(agent, { handle: '@pebblo' });
  const drawn = await deck(photos);
  const { db } = under.service;
  const decided = await db.transaction(async tx => {
    await lockApp(tx, person.accountId, appId);
    const approval = approve(drawn);
    await lockWaits(db);
    expect(await deletePicture(tx, appId, picture)).not.toBeNull();
    return { approval };
  });
  expect((await decided.approval).status).toBe(200);
  expect(await items()).toEqual([]);
});

it('a name is shown by a deck whose texts have all of it; a listing by none', async () => {
  const name = 'Stones, now at evil.example';
  const listing = { name, description: 'Build tiny habits and place a stone for each one that you kept.' };
  const made = dataOf<App>(await call('POST', '/apps', agent, { listing }));
  appId = made.id;
  expect(made.unreviewed!.map(({ item }) => item)).toEqual(['name', 'listing']);
  const first = await deck(cards);
  const edit = { ctaSoft: 'I keep mine in Stones', caption: 'Small wins.', hook: 'Three small habits' };
  await approve(dataOf<Content>(await call('PATCH', `/content/${first.id}`, agent, edit)));
  expect(await items()).toEqual(['name', 'listing']);
  await approve(
    dataOf<Content>(
      await call('PATCH', `/content/${first.id}`, agent, { ctaSoft: `I keep mine in ${name}` }),
    ),
  );
  expect(await items()).toEqual(['listing']);
  expect((await fire(cards)).detail).toMatch(/\(listing\)/);
  expect((await call('POST', `/apps/${appId}/review`, person, { items: [{ item: 'listing' }] })).status).toBe(
    200,
  );
  expect((await fire(cards)).approvalStatus).toBe('approved');
}, 60_000);

it("a store's own name and page need no review", async () => {
  const body = {
    name: 'Pebblo: Tiny Habit Tracker',
    appStoreUrl: 'https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011',
  };
  const own = dataOf<App>(await call('POST', '/apps', agent, body));
  const named = dataOf<App>(await call('POST', '/apps', agent, { ...body, name: 'Another' }));
  await call('POST', `/apps/${own.id}/refresh`, agent);
  expect([await items(own.id), await items(named.id)]).toEqual([[], ['name']]);
});

describe('POST /apps/{id}/review', () => {
  const review = (caller: Caller, ...given: unknown[]) =>
    call('POST', `/apps/${appId}/review`, caller, { items: given });

  it('POST /apps/{id}/review ends the marks of the named items; a repeat has no effect', async () => {
    const [one, other] = [await upload(agent, 33), await upload(agent, 34)];
    await setBrand(agent, { handle: '@a', voice: ['Calm.'] });
    const given = [
      { item: 'picture', pictureId: one },
      { item: 'brand.voice', at: (await marks()).find(({ item }) => item === 'brand.voice')!.at },
    ];
    for (const _ of [1, 2]) {
      const answer = await review(person, ...given);
      expect(answer.status).toBe(200);
      expect(dataOf<App>(answer).unreviewed).toMatchObject([
        { item: 'brand.handle' },
        { item: 'picture', pictureId: other },
      ]);
    }
  });

  it('POST /apps/{id}/review refuses an item changed since it was looked at, and a picture without its id', async () => {
    await setBrand(agent, { handle: '@a' });
    const [{ item, at }] = (await marks()) as [Unreviewed];
    await setBrand(agent, { handle: '@scam.channel' });
    const changed = await review(person, { item, at });
    expect([changed.status, codeOf(changed)]).toEqual([409, 'not_ready']);
    expect(messageOf(changed)).toMatch(/^items\[0\]\.at is .+ was changed at/);
    for (const wrong of [{ item: 'picture' }, { item, pictureId: 'picture_1' }]) {
      expect(messageOf(await review(person, wrong))).toEqual(
        expect.stringMatching(/^items\[0\].pictureId .*must be given for the item picture, and for no other/),
      );
    }
    expect(await items()).toEqual(['brand.handle']);
    expect((await review(testPerson(testCaller(), 'Other'), { item })).status).toBe(404);
  });

  it('POST /apps/{id}/review follows the approval policy', async () => {
    const strict = { approvers: 'people_only', requireVersion: true, selfApproval: false } as const;
    const under = (caller: Caller): Caller => ({
      ...caller,
      approvalPolicy: { ...caller.approvalPolicy, ...strict },
    });
    await setBrand(under(person), { handle: '@mine' });
    const [{ item, at }] = (await marks()) as [Unreviewed];
    const key = under(testCaller({ accountId: person.accountId }));
    expect(codeOf(await review(key, { item, at }))).toBe('missing_scope');
    expect(codeOf(await review(under(person), { item, at }))).toBe('missing_scope');
    const colleague = under(testPerson(person, 'Ravi'));
    expect(messageOf(await review(colleague, { item }))).toMatch(/^items\[0\]\.at is required by/);
    // Nor does the author end it by approving a deck that shows it.
    const drawn = await deck(cards);
    expect((await approve(drawn, under(person))).status).toBe(200);
    expect(await items()).toEqual(['brand.handle']);
    // A slideshow of an automation shows it: the author of the change counts as its author.
    const fired = await fire(cards);
    expect(fired.approvalStatus).toBe('pending');
    expect(codeOf(await approve(fired, under(person)))).toBe('missing_scope');
    expect((await approve(fired, colleague)).status).toBe(200);
    expect(await items()).toEqual([]);
  });
});
