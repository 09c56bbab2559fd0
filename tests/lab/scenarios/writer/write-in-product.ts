/** The same decks through the API of a running product, with the charges they leave. */
import type { Content } from '@hookline/shared/contracts/content';
import { signUp } from '../../kit/clients/api.ts';
import { openAsSuperuser } from '../../kit/product/database.ts';
import { startStandalone } from '../../kit/product/standalone.ts';
import type { Case } from './cases.ts';
import type { Model } from './write-alone.ts';

export type InProduct = {
  startMs: number;
  atOnce: number;
  repaired: number;
  byStandIn: number;
  failed: number;
  /** Failed without being asked, because the breaker was open. */
  notAsked: number;
  /** Answers other than 201. */
  refused: number;
  ms: number[];
  chargedForFailures: number;
  /** Ready contents less charges, and credits still set aside. */
  unsettled: number;
};

export async function writeInProduct(
  model: Model,
  cases: readonly Case[],
  onFailure: 'fail' | 'builtin',
  budgetSeconds: number,
): Promise<InProduct> {
  const beganMs = performance.now();
  const product = await startStandalone({
    WRITER: 'model',
    LLM_BASE_URL: model.baseUrl,
    LLM_MODEL: model.name,
    LLM_ON_FAILURE: onFailure,
    LLM_BUDGET_SECONDS: String(budgetSeconds),
    SIGNUP_CREDITS: '1000',
    DAILY_GENERATIONS: '1000',
    ...(model.apiKey === undefined ? {} : { LLM_API_KEY: model.apiKey }),
  });
  const startMs = performance.now() - beganMs;
  const db = openAsSuperuser(product.databaseUrl);
  try {
    const made = await makeAll(product.baseUrl, db, cases);
    return { startMs, ...made, ...(await readCharges(db)) };
  } finally {
    await db.close();
    await product.remove();
  }
}

type Made = Omit<InProduct, 'startMs' | 'chargedForFailures' | 'unsettled'>;

async function makeAll(
  baseUrl: string,
  db: ReturnType<typeof openAsSuperuser>,
  cases: readonly Case[],
): Promise<Made> {
  const client = await signUp(baseUrl);
  const appIds = await insertApps(client, db, cases);
  const made: Made = { atOnce: 0, repaired: 0, byStandIn: 0, failed: 0, notAsked: 0, refused: 0, ms: [] };
  for (const [i, { listingIndex, brief }] of cases.entries()) {
    const beganMs = performance.now();
    const { status, data } = await client.api<Content>('POST', '/content', {
      token: client.key,
      headers: { 'idempotency-key': `case-${i}` },
      body: { appId: appIds.get(listingIndex), type: 'slideshow', brief },
    });
    made.ms.push(performance.now() - beganMs);
    if (status !== 201) made.refused += 1;
    else if (data.status === 'failed') {
      made.failed += 1;
      if (data.error?.message.includes('not asked now')) made.notAsked += 1;
    } else if (data.writer?.kind === 'builtin') made.byStandIn += 1;
    else if (data.writer?.repaired) made.repaired += 1;
    else made.atOnce += 1;
  }
  return made;
}

/** Copies of an imported app with the listings of the cases: these apps are in no store. */
async function insertApps(
  { api, key }: Awaited<ReturnType<typeof signUp>>,
  db: ReturnType<typeof openAsSuperuser>,
  cases: readonly Case[],
): Promise<Map<number, string>> {
  const imported = await api<{ id: string }>('POST', '/apps', {
    token: key,
    body: {
      name: 'Pebblo',
      appStoreUrl: 'https://apps.apple.com/us/app/pebblo-tiny-habit-tracker/id9990000011',
    },
  });
  const ids = new Map<number, string>();
  for (const { listing, listingIndex } of cases) {
    if (ids.has(listingIndex)) continue;
    const id = `${imported.data.id.slice(0, -2)}${String(listingIndex).padStart(2, '0')}`;
    await db.query(
      `insert into content.apps (id, account_id, name, details, seed_hooks, listing, created_at, updated_at)
       select $2, account_id, $3, details, seed_hooks, listing || $4::jsonb, created_at, updated_at
       from content.apps where id = $1`,
      [imported.data.id, id, listing.name, JSON.stringify({ ...listing, summary: null })],
    );
    ids.set(listingIndex, id);
  }
  return ids;
}

async function readCharges(
  db: ReturnType<typeof openAsSuperuser>,
): Promise<Pick<InProduct, 'chargedForFailures' | 'unsettled'>> {
  const [row] = await db.query<{ failures: number; ready: number; charges: number; reserved: number }>(
    `select
       (select count(*)::int from content.credit_ledger l join content.contents c on c.id = l.content_id
        where l.reason = 'generation' and c.status = 'failed') as failures,
       (select count(*)::int from content.contents where status = 'ready') as ready,
       (select count(*)::int from content.credit_ledger where reason = 'generation') as charges,
       (select count(*)::int from content.credit_reservations) as reserved`,
  );
  const { failures, ready, charges, reserved } = row!;
  return { chargedForFailures: failures, unsettled: Math.abs(ready - charges) + reserved };
}
