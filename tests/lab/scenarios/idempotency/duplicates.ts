/** G-I1: every key is sent many times at once, over all gateways. */
import type { Prepared } from './accounts.ts';
import { type Answer, type Gateways, idOf } from './client.ts';

export type Told = { accountId: string; token: string; key: string; body: unknown; text: string; id: string };

export type DuplicateFindings = {
  requests: number;
  replays: number;
  conflicts: number;
  slowestMs: number;
  wrong: string[];
  told: Told[];
};

// Number of keys in flight at once, each with all its duplicates.
const keysAtOnce = 4;
const waitMs = 10_000;
// Time that a machine under load may add to the wait of 10 s.
const graceMs = 5_000;

export async function sendDuplicates(
  gateways: Gateways,
  accounts: readonly Prepared[],
  { keys, duplicates }: { keys: number; duplicates: number },
): Promise<DuplicateFindings> {
  const findings: DuplicateFindings = {
    requests: 0,
    replays: 0,
    conflicts: 0,
    slowestMs: 0,
    wrong: [],
    told: [],
  };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < keys) {
      const index = next;
      next += 1;
      const account = accounts[index % accounts.length] as Prepared;
      await sendKey(gateways, account, `key-${index}`, duplicates, findings);
    }
  };
  await Promise.all(Array.from({ length: keysAtOnce }, work));
  return findings;
}

async function sendKey(
  gateways: Gateways,
  { accountId, token, appId }: Prepared,
  key: string,
  duplicates: number,
  findings: DuplicateFindings,
): Promise<void> {
  const body = { appId, type: 'slideshow', brief: { topic: `mornings ${key}` } };
  const answers = await Promise.all(
    Array.from({ length: duplicates }, (_, index) => gateways.post(index, { token, key, body })),
  );
  findings.requests += duplicates;
  findings.replays += answers.filter(answer => answer.isReplay).length;
  findings.slowestMs = Math.max(findings.slowestMs, ...answers.map(answer => answer.ms));
  const made = answers.filter(answer => answer.status === 201);
  for (const answer of answers) judge(answer, key, findings);
  const texts = new Set(made.map(answer => answer.text));
  const firsts = made.filter(answer => !answer.isReplay).length;
  if (texts.size !== 1) findings.wrong.push(`${key}: ${texts.size} different 201 bodies`);
  if (firsts !== 1) findings.wrong.push(`${key}: ${firsts} answers that are no replay`);
  const [first] = made;
  if (first) findings.told.push({ accountId, token, key, body, text: first.text, id: idOf(first) });
}

function judge(answer: Answer, key: string, findings: DuplicateFindings): void {
  if (answer.ms > waitMs + graceMs) findings.wrong.push(`${key}: answered after ${Math.round(answer.ms)} ms`);
  if (answer.status === 201) return;
  findings.conflicts += 1;
  const isConflict = answer.status === 409 && Number(answer.retryAfter) >= 1;
  if (!isConflict) findings.wrong.push(`${key}: ${answer.status} ${answer.text.slice(0, 200)}`);
}
