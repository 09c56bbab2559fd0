import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import {
  type Client,
  type Content,
  type Prepared,
  prepareAccount,
  signUp,
} from '../../lab/kit/clients/api.ts';

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

type Reviewed = Content & { approval: { reason: string } };

export async function read({ api, key }: Prepared, id: string): Promise<Reviewed> {
  return (await api<Reviewed>('GET', `/content/${id}`, { token: key })).data;
}

/** Invites somebody and accepts for them. */
export async function invite(owner: Client, role: string): Promise<Person> {
  const email = `console-${randomBytes(5).toString('hex')}@example.com`;
  const invited = await owner.api<{ url: string }>('POST', '/workspace/invitations', {
    token: owner.session,
    body: { email, role },
  });
  if (invited.error) throw new Error(invited.error.message);
  const password = 'a long enough password';
  const accepted = await owner.api<{ session: { token: string } }>('POST', '/auth/invitations/accept', {
    body: { token: new URL(invited.data.url).searchParams.get('token'), name: role, password },
  });
  if (accepted.error) throw new Error(accepted.error.message);
  return { email, password, session: accepted.data.session.token };
}
