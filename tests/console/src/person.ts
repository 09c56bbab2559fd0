import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import {
  type Client,
  type Content,
  type Prepared,
  prepareAccount,
  signUp,
} from '../../lab/kit/clients/api.ts';
import { openAsSuperuser } from '../../lab/kit/product/database.ts';
import { databaseUrlOf } from '../../lab/kit/product/standalone.ts';

/** With a session, a visit begins in it; without one it signs in and has one of its own. */
export type Person = { email: string; password: string; session?: string };

/** A new person with an empty workspace. */
export function newPerson(): Promise<Client> {
  return signUp(apiUrl());
}

/** A new person with an app and a connected account. */
export function newCreator(creator = 'maya.makes'): Promise<Prepared> {
  return prepareAccount(apiUrl(), creator);
}

export function apiUrl(): string {
  return `${inject('product').url}/api/v1`;
}

/** Another app, Fernly, which has no picture. */
export async function addApp({ api, key }: Prepared): Promise<string> {
  const description = 'A diary for balcony gardens that tells what to water and when to bring pots inside.';
  const body = { listing: { name: 'Fernly', description } };
  const made = await api<{ id: string }>('POST', '/apps', { token: key, body });
  if (made.error) throw new Error(made.error.message);
  return made.data.id;
}

/** A deck of four slides, two fewer than usual to draw, that waits for approval. */
export async function writeDeck({ api, key, appId }: Prepared, brief: object = {}): Promise<Content> {
  const made = await api<Content>('POST', '/content', {
    token: key,
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card', slideCount: 4, ...brief } },
  });
  if (made.error) throw new Error(`${made.error.code}: ${made.error.message}`);
  return made.data;
}

/**
 * Older copies of a deck, with its pictures and ids of the product's form: drawing so
 * many would take minutes.
 */
export async function copyDeck(contentId: string, count: number): Promise<void> {
  const db = openAsSuperuser(databaseUrlOf(inject('product').dataDir));
  try {
    await db.query(
      `with made as (
         insert into content.contents select (jsonb_populate_record(deck, jsonb_build_object(
             'id', left($1, 18) || left(md5($1 || n), 16), 'created_at', deck.created_at - n * interval '1 second',
             'result', jsonb_set(deck.result, '{hook}', to_jsonb('Deck ' || n))))).*
         from content.contents deck, generate_series(1, $2::int) n where deck.id = $1 returning 1)
       insert into content.slide_images select (jsonb_populate_record(image, jsonb_build_object(
           'id', 'image_' || md5(image.id || n), 'content_id', left($1, 18) || left(md5($1 || n), 16)))).*
       from content.slide_images image, generate_series(1, $2::int) n where image.content_id = $1`,
      [contentId, count],
    );
  } finally {
    await db.close();
  }
}

/** A deck that is approved and scheduled as a draft. */
export async function scheduleDeck(creator: Prepared, hook: string, scheduledFor: string) {
  const { api, key, accountId } = creator;
  const deck = await writeDeck(creator, { hook });
  await api('POST', `/content/${deck.id}/approve`, { token: key, body: {} });
  const made = await api<{ id: string }>('POST', '/schedules', {
    token: key,
    body: { contentId: deck.id, tiktokAccountId: accountId, mode: 'draft', scheduledFor },
  });
  if (made.error) throw new Error(`${made.error.code}: ${made.error.message}`);
  return { contentId: deck.id, scheduleId: made.data.id };
}

type Reviewed = Content & { approval: { reason: string }; changesRequested?: { reason: string } };

export async function read({ api, key }: Prepared, id: string): Promise<Reviewed> {
  return (await api<Reviewed>('GET', `/content/${id}`, { token: key })).data;
}

/** Invites somebody and accepts for them. */
export async function invite(owner: Client, role: string): Promise<Person> {
  const email = `console-${randomBytes(5).toString('hex')}@example.com`;
  const password = 'a long enough password';
  const { session } = await join(owner, { email, role }, { name: role, password });
  return { email, password, session: session.token };
}

/** Joins a person who has an account, or with a name and password somebody new, to the workspace of `owner`. */
export async function join(
  owner: Client,
  { email, role = 'approver' }: { email: string; role?: string },
  more: { name?: string; password: string },
) {
  const invited = await owner.api<{ url: string }>('POST', '/workspace/invitations', {
    token: owner.session,
    body: { email, role },
  });
  if (invited.error) throw new Error(invited.error.message);
  const accepted = await owner.api<{ session: { token: string } }>('POST', '/auth/invitations/accept', {
    body: { token: new URL(invited.data.url).searchParams.get('token'), ...more },
  });
  if (accepted.error) throw new Error(accepted.error.message);
  return accepted.data;
}
