/** A careful client: many creators, schedules spread over the run, each asked for until it is told. */
import { type Prepared, prepareAccount, type Schedule } from '../../e2e/support/api.ts';
import type { DistributedProduct } from '../../e2e/support/distributed.ts';
import type { Recorder } from '../support/history.ts';
import type { PostingLine } from './history.ts';

export type Creators = {
  client: Prepared;
  contentIds: string[];
  accounts: { id: string; username: string }[];
};

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, Math.max(0, ms)));

/** One user with approved decks and `count` connected creators, whose platform sets no caps but the pace. */
export async function prepareCreators(
  { baseUrl, simulatorsUrl }: DistributedProduct,
  count: number,
  decks: number,
): Promise<Creators> {
  const usernames = Array.from({ length: count }, (_, at) => `proof.${at}`);
  for (const username of usernames) await putCreator(simulatorsUrl, username);
  const client = await prepareAccount(baseUrl, usernames[0] ?? '');
  for (const username of usernames.slice(1)) await connect(client, username);
  const accounts = await listAccounts(client);
  const contentIds: string[] = [];
  while (contentIds.length < decks) contentIds.push(await makeDeck(client, contentIds.length));
  return { client, contentIds, accounts };
}

async function putCreator(simulatorsUrl: string, username: string): Promise<void> {
  const answer = await fetch(`${simulatorsUrl}/_control/tiktok/accounts/${username}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ openDraftsMax: 100_000, postsPerDayMax: 100_000 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function connect({ api, session }: Prepared, username: string): Promise<void> {
  const begun = await api<{ authorizeUrl: string }>('POST', '/accounts/tiktok/connect', {
    token: session,
    body: {},
  });
  const page = await fetch(`${begun.data.authorizeUrl}&as=${username}`);
  if (!page.ok) throw new Error(`the callback answered ${page.status}: ${await page.text()}`);
}

async function listAccounts({ api, key }: Prepared): Promise<{ id: string; username: string }[]> {
  const found: { id: string; username: string }[] = [];
  for (let cursor = ''; ; ) {
    const page = await api<{ id: string; username: string }[]>('GET', `/accounts?limit=100${cursor}`, {
      token: key,
    });
    found.push(...page.data.map(({ id, username }) => ({ id, username })));
    const { nextCursor } = JSON.parse(page.text) as { nextCursor: string | null };
    if (nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

async function makeDeck({ api, key, appId }: Prepared, at: number): Promise<string> {
  const made = await api<{ id: string }>('POST', '/content', {
    token: key,
    headers: { 'idempotency-key': `deck ${at}` },
    body: { appId, type: 'slideshow', brief: { templateId: 'quote-card', slideCount: 3 } },
  });
  if (made.error) throw new Error(made.error.message);
  const approved = await api('POST', `/content/${made.data.id}/approve`, { token: key });
  if (approved.error) throw new Error(approved.error.message);
  return made.data.id;
}

export type Plan = { count: number; runMs: number };

// A request that is repeated through several kills must not become older than a minute.
const aheadMs = 15_000;
const answerWithinMs = 20_000;

/** Asks for `count` schedules that fall due evenly over `runMs`, half as drafts and half as direct posts. */
export async function drive(
  { client, contentIds, accounts }: Creators,
  { count, runMs }: Plan,
  recorder: Recorder<PostingLine>,
): Promise<void> {
  const beganAt = Date.now();
  const asking = Array.from({ length: count }, async (_, at) => {
    const account = accounts[at % accounts.length] as { id: string; username: string };
    const turn = Math.floor(at / accounts.length);
    const dueAt = beganAt + aheadMs + (runMs * at) / count;
    await wait(dueAt - aheadMs - Date.now());
    const title = `${account.username} ${turn}`;
    const body = {
      contentId: contentIds[turn % contentIds.length],
      tiktokAccountId: account.id,
      scheduledFor: new Date(dueAt).toISOString(),
      title,
      ...(at % 2 === 0 ? { mode: 'draft' } : { mode: 'publish', privacyLevel: 'SELF_ONLY' }),
    };
    recorder.write({ kind: 'asked', title, account: account.username, scheduledFor: body.scheduledFor });
    await insist(client, title, body, recorder);
  });
  await Promise.all(asking);
}

async function insist(
  { api, key }: Prepared,
  title: string,
  body: Record<string, unknown>,
  recorder: Recorder<PostingLine>,
): Promise<void> {
  for (;;) {
    const sent = api<Schedule>('POST', '/schedules', {
      token: key,
      headers: { 'idempotency-key': title },
      body,
    });
    const answer = await Promise.race([sent.catch(() => null), wait(answerWithinMs).then(() => null)]);
    if (answer?.status === 201) return recorder.write({ kind: 'told', title, id: answer.data.id });
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
      return recorder.write({ kind: 'refused', title, status: answer.status, text: answer.text });
    await wait(200);
  }
}
