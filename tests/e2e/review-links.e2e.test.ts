/** A link that shows one version to somebody without an account, who may decide if it says so. */
import { randomBytes } from 'node:crypto';
import type { ReviewLink, SharedDeck } from '@hookline/shared/contracts/review-links';
import type { AuditEvent } from '@hookline/shared/contracts/workspace';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Answer, apiOf, type Client, type Content, signUp } from '../lab/kit/clients/api.ts';
import { startStandalone } from '../lab/kit/product/standalone.ts';

type Made = ReviewLink & { url?: string };

const product = perSuite(() => startStandalone());
let owner: Client;
let appId: string;
beforeAll(async () => {
  owner = await signUp(product.baseUrl);
  const body = { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' };
  appId = (await owner.api<{ id: string }>('POST', '/apps', { token: owner.key, body })).data.id;
});

async function newDeck(): Promise<Content> {
  const made = await owner.api<Content>('POST', '/content', {
    token: owner.key,
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card' } },
  });
  return made.data;
}
/** As a browser with this session calls the console's API. */
const inBrowser = <T = Record<string, unknown>>(
  session: string,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
) =>
  apiOf(`${product.gatewayUrl}/console/api/v1`)<T>(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: { cookie: `hookline_session=${session}`, 'sec-fetch-site': 'same-origin', ...headers },
  });
const link = (contentId: string, body: Record<string, unknown>, session = owner.session, headers = {}) =>
  inBrowser<Made>(session, 'POST', linksOf(contentId), { expiresInHours: 1, ...body }, headers);
const linkByKey = (contentId: string, token: string, body: Record<string, unknown>) =>
  owner.api<Made>('POST', linksOf(contentId), { token, body: { expiresInHours: 1, ...body } });
const linksOf = (contentId: string) => `/content/${contentId}/review-links`;
const tokenOf = ({ data }: Answer<Made>): string =>
  /\/console\/review#(link_[\w-]{43})$/.exec(data.url!)![1]!;
const open = (token: string) =>
  apiOf(product.baseUrl)<SharedDeck>('POST', '/review/open', { body: { token } });
const decide = (token: string, body: Record<string, unknown>) =>
  apiOf(product.baseUrl)<SharedDeck>('POST', '/review/decide', { body: { token, name: 'Kim', ...body } });
const contentNow = async (id: string) =>
  (
    await owner.api<{ approvalStatus: string; approval: Record<string, unknown> }>('GET', `/content/${id}`, {
      token: owner.key,
    })
  ).data;
async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: product.databaseUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
const ended = { code: 'not_found', message: 'This link has expired or was withdrawn. Ask for another one.' };
const withdraw = async ({ id }: Content, { data }: Answer<Made>) => {
  const answer = await inBrowser(owner.session, 'DELETE', `${linksOf(id)}/${data.id}`);
  expect(answer.data).toEqual({ id: data.id, deleted: true });
};
const edit = (id: string) =>
  owner.api('PATCH', `/content/${id}`, { token: owner.key, body: { caption: 'Another one.' } });

describe('a review link', () => {
  it('shows its version, with pictures that load, and nothing of how it was made', async () => {
    const deck = await newDeck();
    const made = await link(deck.id, {});
    expect(made.data).toMatchObject({ contentId: deck.id, version: 1, mayDecide: false });
    const { data } = await open(tokenOf(made));
    expect(Object.keys(data).sort()).toEqual(
      'approvalStatus caption decided expiresAt handle hashtags mayDecide slides version workspace'.split(
        ' ',
      ),
    );
    expect(data).toMatchObject({ version: 1, approvalStatus: 'pending', mayDecide: false, handle: 'Pebblo' });
    expect(data.slides.map(({ text }) => text)).toContain(deck.result.hook);
    expect(data.slides).toHaveLength(deck.images.length);
    for (const { url } of data.slides) expect((await fetch(url!)).status).toBe(200);
  });

  it('gives its address once, and stores and logs no token', async () => {
    const deck = await newDeck();
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const made = await link(deck.id, { mayDecide: true }, owner.session, key);
    const token = tokenOf(made);
    expect((await link(deck.id, { mayDecide: true }, owner.session, key)).data).toEqual({
      ...made.data,
      url: undefined,
    });
    await decide(token, { decision: 'rejected', reason: 'Too long.' });
    const listed = await owner.api<Made[]>('GET', linksOf(deck.id), { token: owner.key });
    expect(listed.data).toEqual([{ ...made.data, url: undefined }]);
    // Rows as text: XML has no infinite time.
    const [stored] = await sql(
      `select string_agg(query_to_xml(format('select t::text from %I.%I t', schemaname, tablename), true, false, '')::text, '') as all
       from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(String(stored?.all)).toContain(made.data.id);
    expect(String(stored?.all)).not.toContain(token);
    expect(product.product.output()).not.toContain(token);
  });

  it('that may decide signs with the name that the reviewer gives, once and for all', async () => {
    const deck = await newDeck();
    const made = await link(deck.id, { mayDecide: true });
    const token = tokenOf(made);
    expect((await open(token)).data.mayDecide).toBe(true);
    const approved = await decide(token, { decision: 'approved', reason: 'Lovely.' });
    expect(approved.data).toMatchObject({
      approvalStatus: 'approved',
      mayDecide: false,
      decided: { decision: 'approved', name: 'Kim', reason: null },
    });
    const by = { kind: 'reviewer', id: made.data.id, name: 'Kim' };
    expect((await contentNow(deck.id)).approval).toMatchObject({ version: 1, by, keyId: null, reason: null });
    expect((await decide(token, { decision: 'approved' })).status).toBe(200);
    expect((await decide(token, { decision: 'rejected' })).error?.code).toBe('not_ready');
    await withdraw(deck, made);
    await eventually(async () => {
      const audit = await owner.api<z.infer<typeof AuditEvent>[]>('GET', '/audit?limit=100', {
        token: owner.session,
      });
      const rows = audit.data.filter(({ subject }) => subject.id === deck.id);
      const person = expect.objectContaining({ kind: 'person' });
      expect(rows.map(({ action, actor, address }) => ({ action, actor, address }))).toEqual(
        expect.arrayContaining([
          { action: 'review_link.created', actor: person, address: expect.stringMatching(/127|::1/) },
          { action: 'content.approved', actor: by, address: expect.stringMatching(/127|::1/) },
          { action: 'review_link.withdrawn', actor: person, address: expect.stringMatching(/127|::1/) },
        ]),
      );
      expect(rows).toHaveLength(3);
    });
  });

  it('rejects with a reason', async () => {
    const deck = await newDeck();
    const token = tokenOf(await link(deck.id, { mayDecide: true }));
    await decide(token, { decision: 'rejected', reason: 'Too long.' });
    const by = expect.objectContaining({ kind: 'reviewer', name: 'Kim' });
    expect((await contentNow(deck.id)).approval).toMatchObject({
      decision: 'rejected',
      reason: 'Too long.',
      by,
    });
  });

  it('asks for changes with a reason, and then decides nothing more', async () => {
    const deck = await newDeck();
    const token = tokenOf(await link(deck.id, { mayDecide: true }));
    const ask = (reason?: string) => decide(token, { decision: 'changes_requested', reason });
    expect((await ask()).error).toMatchObject({ code: 'invalid_request', param: 'reason' });
    const decided = { decision: 'changes_requested', name: 'Kim', reason: 'Our green.' };
    expect((await ask('Our green.')).data).toMatchObject({ mayDecide: false, decided });
    expect(await ask('Our green.')).toMatchObject({ data: { decided } });
    expect((await open(token)).data.decided).toEqual(decided);
    const other = tokenOf(await link(deck.id, {}));
    expect((await open(other)).data.decided).toBeNull();
    expect(await contentNow(deck.id)).toMatchObject({
      approvalStatus: 'pending',
      changesRequested: { reason: 'Our green.', by: { kind: 'reviewer', name: 'Kim' } },
    });
    expect((await ask('Our blue.')).error?.code).toBe('not_ready');
    expect((await decide(token, { decision: 'approved' })).error?.code).toBe('not_ready');
  });

  it.each<[string, (deck: Content, made: Answer<Made>) => Promise<unknown>, typeof ended]>([
    ['when it was withdrawn', withdraw, ended],
    [
      'when its time is over',
      (_, { data }) => sql('update gateway.review_links set expires_at = now() where id = $1', [data.id]),
      ended,
    ],
    [
      'when the deck has a newer version',
      ({ id }) => edit(id),
      {
        code: 'not_ready',
        message: 'There is a newer version than this link shows. Ask for a link to that one.',
      },
    ],
  ])('neither shows nor decides %s', async (_, end, error) => {
    const deck = await newDeck();
    const made = await link(deck.id, { mayDecide: true });
    const token = tokenOf(made);
    await end(deck, made);
    expect((await open(token)).error).toMatchObject(error);
    expect((await decide(token, { decision: 'approved' })).error).toMatchObject(error);
    expect((await contentNow(deck.id)).approvalStatus).toBe('pending');
  });

  it('ends with the key that made it', async () => {
    const deck = await newDeck();
    const minted = await owner.api<{ id: string; key: string }>('POST', '/keys', {
      token: owner.session,
      body: { name: 'shares', scopes: ['content:write'] },
    });
    const token = tokenOf(await linkByKey(deck.id, minted.data.key, {}));
    expect((await open(token)).status).toBe(200);
    await owner.api('DELETE', `/keys/${minted.data.id}`, { token: owner.session });
    expect((await open(token)).error).toMatchObject(ended);
  });

  it('ends with the membership of its maker, whose rights it never exceeds', async () => {
    const deck = await newDeck();
    const email = `e2e-${randomBytes(5).toString('hex')}@example.com`;
    const invited = await owner.api<{ url: string }>('POST', '/workspace/invitations', {
      token: owner.session,
      body: { email, role: 'approver' },
    });
    const joined = await owner.api<{ session: { token: string }; user: { id: string } }>(
      'POST',
      '/auth/invitations/accept',
      { body: { token: invited.data.url.split('token=')[1], password: 'a long enough password' } },
    );
    const { user, session } = joined.data;
    const made = await link(deck.id, { mayDecide: true }, session.token);
    const member = `/workspace/members/${user.id}`;
    await owner.api('PATCH', member, { token: owner.session, body: { role: 'editor' } });
    expect((await open(tokenOf(made))).data.mayDecide).toBe(false);
    const refused = await decide(tokenOf(made), { decision: 'approved' });
    expect(refused.error).toMatchObject({ code: 'missing_scope' });
    expect((await link(deck.id, { mayDecide: true }, session.token)).error?.code).toBe('missing_scope');
    expect((await link(deck.id, {}, session.token)).status).toBe(201);
    await owner.api('DELETE', member, { token: owner.session });
    expect((await open(tokenOf(made))).error).toMatchObject(ended);
  });

  it('decides nothing that the approval policy does not let its maker decide', async () => {
    const deck = await newDeck();
    const before = tokenOf(await link(deck.id, { mayDecide: true }));
    const setPolicy = async (approvalPolicy: Record<string, unknown>) => {
      const answer = await owner.api('PATCH', '/workspace', {
        token: owner.session,
        body: { approvalPolicy },
      });
      expect(answer.error).toBeUndefined();
    };
    // A key of the owner made the deck, so the owner is its author.
    await setPolicy({ selfApproval: false });
    expect((await open(before)).data.mayDecide).toBe(false);
    expect((await decide(before, { decision: 'approved' })).error?.message).toContain('selfApproval false');
    expect((await link(deck.id, { mayDecide: true })).error?.code).toBe('missing_scope');
    await setPolicy({ selfApproval: true, approvers: 'people_only' });
    expect((await linkByKey(deck.id, owner.key, { mayDecide: true })).error?.code).toBe('missing_scope');
    expect((await decide(before, { decision: 'approved' })).status).toBe(200);
    await setPolicy({ preset: 'open' });
  });

  it('decides on its version alone: what an agent changed in the app still has to be reviewed', async () => {
    const minted = await owner.api<{ key: string }>('POST', '/keys', {
      token: owner.session,
      body: { name: 'agent', scopes: ['apps:read', 'apps:write'] },
    });
    const brand = { handle: '@pebblo.agent' };
    await owner.api('PATCH', `/apps/${appId}`, { token: minted.data.key, body: { brand } });
    const marks = async () =>
      (
        await owner.api<{ unreviewed: { item: string }[] }>('GET', `/apps/${appId}`, { token: owner.key })
      ).data.unreviewed.map(({ item }) => item);
    expect(await marks()).toEqual(['brand.handle']);
    const deck = await newDeck();
    const token = tokenOf(await link(deck.id, { mayDecide: true }));
    expect((await open(token)).data.handle).toBe('@pebblo.agent');
    expect((await decide(token, { decision: 'approved' })).data.approvalStatus).toBe('approved');
    expect(await marks()).toEqual(['brand.handle']);
    const other = await newDeck();
    await owner.api('POST', `/content/${other.id}/approve`, { token: owner.key, body: {} });
    expect(await marks()).toEqual([]);
  });

  it('is refused for a deck that has 20', async () => {
    const deck = await newDeck();
    for (let made = 0; made < 20; made += 1) expect((await link(deck.id, {})).status).toBe(201);
    expect((await link(deck.id, {})).error).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('20 open review links'),
    });
  });

  it('opens nothing for a token that nobody was given', async () => {
    expect((await open(`link_${randomBytes(32).toString('base64url')}`)).error).toMatchObject(ended);
  });
});
