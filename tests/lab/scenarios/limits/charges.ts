/**
 * A thousand simultaneous requests for content on a balance of one, through three gateways and the real
 * service: each with an idempotency key of its own (G-K9), and all with the same key (G-I1).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { anyIp } from '../../kit/clients/http-client.ts';
import { type Client, signUp } from './client.ts';

export type ChargeFindings = {
  rounds: number;
  requests: number;
  /** Answers that are neither the one 201 nor 402; with one key, neither its answer nor told to wait. */
  others: number;
  /** Rounds that did not end with one content, one charge and a balance of 0. */
  broken: number;
  /** Balances below 0 that were read while the requests ran. */
  negative: number;
};

const scopes = ['apps:write', 'content:write', 'content:read', 'credits:read'];
/** The limit of one key is 10 a minute: the account has as many keys as the requests need. */
const requestsPerKey = 10;

export async function runCharges(
  client: Client,
  { rounds, requests }: { rounds: number; requests: number },
): Promise<ChargeFindings> {
  const findings = { rounds, requests: 0, others: 0, broken: 0, negative: 0 };
  for (let round = 0; round < rounds; round += 1)
    for (const hasOneKey of [false, true]) await runRound(client, requests, hasOneKey, findings);
  return findings;
}

async function runRound(
  client: Client,
  requests: number,
  hasOneKey: boolean,
  findings: ChargeFindings,
): Promise<void> {
  const user = await signUp(client, scopes);
  const keys: string[] = [];
  for (let minted = 0; minted < requests / requestsPerKey; minted += 1) keys.push((await user.mint()).key);
  const [first = ''] = keys;
  const app = { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' };
  const { id: appId } = await read<{ id: string }>(client, 'POST', '/apps', first, app);

  let isOver = false;
  const watching = watchBalance(client, first, () => isOver);
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, index) =>
      client.send(index % client.gateways, {
        method: 'POST',
        path: '/api/v1/content',
        token: keys[index % keys.length],
        ip: anyIp(),
        headers: { 'idempotency-key': hasOneKey ? 'request' : `request-${index}` },
        body: { appId, type: 'slideshow' },
      }),
    ),
  );
  isOver = true;
  findings.negative += await watching;
  findings.requests += requests;
  const created = answers.filter(({ status }) => status === 201);
  const made = created.filter(({ headers }) => headers['idempotent-replayed'] !== 'true').length;
  const others = answers.filter(({ status, text, retryAfter }) => {
    if (status === 201) return text !== created[0]?.text;
    return hasOneKey ? status !== 409 || !(Number(retryAfter) >= 1) : status !== 402;
  });
  findings.others += others.length;
  if (others[0]) console.log(`  ${others.length} other answers, the first: ${others[0].text}`);
  if (!(await isChargedOnce(client, first, made))) findings.broken += 1;
}

async function isChargedOnce(client: Client, key: string, made: number): Promise<boolean> {
  const credits = await read<{ balance: number; spent: number }>(client, 'GET', '/credits', key);
  const ledger = await read<{ amount: number }[]>(client, 'GET', '/credits/ledger', key);
  const contents = await read<{ status: string; costCharged: number }[]>(client, 'GET', '/content', key);
  const sum = ledger.reduce((total, row) => total + row.amount, 0);
  const charged = contents.reduce((total, row) => total + row.costCharged, 0);
  const isRight =
    made === 1 && credits.balance === 0 && credits.spent === 1 && sum === 0 && ledger.length === 2;
  if (isRight && charged === 1 && contents.length === 1) return true;
  console.log(
    `  201 ${made}, contents ${contents.length}, charged ${charged}, ledger ${sum}, ${JSON.stringify(credits)}`,
  );
  return false;
}

/** @returns the number of balances below 0 seen */
async function watchBalance(client: Client, key: string, isOver: () => boolean): Promise<number> {
  let negative = 0;
  while (!isOver()) {
    const { balance } = await read<{ balance: number }>(client, 'GET', '/credits', key);
    if (balance < 0) negative += 1;
    // The key has 120 requests a minute.
    await delay(600);
  }
  return negative;
}

async function read<T>(
  client: Client,
  method: 'GET' | 'POST',
  path: string,
  token: string,
  body?: unknown,
): Promise<T> {
  const question = { method, path: `/api/v1${path}`, token, ip: anyIp(), body };
  const answer = await client.send(0, question);
  if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
  return (JSON.parse(answer.text) as { data: T }).data;
}
