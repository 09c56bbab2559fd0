/** A careful client: many creators, schedules spread over the run, each repeated until it is answered. */

import type { PostingLine } from '../../kit/checks/posting-history.ts';
import type { Prepared, Schedule } from '../../kit/clients/api.ts';
import type { Creators } from '../../kit/clients/creators.ts';
import type { Recorder } from '../../kit/run/history.ts';

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, Math.max(0, ms)));

export type Plan = { count: number; runMs: number };

// A request repeated through several kills must not become older than a minute.
const aheadMs = 15_000;
const answerWithinMs = 20_000;

/** Creates `count` schedules that fall due evenly over `runMs`, half as drafts and half as direct posts. */
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
  // Growing pauses, so that a recovering service is not flooded.
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 4_000)) {
    const sent = api<Schedule>('POST', '/schedules', {
      token: key,
      headers: { 'idempotency-key': title },
      body,
    });
    const answer = await Promise.race([sent.catch(() => null), wait(answerWithinMs).then(() => null)]);
    if (answer?.status === 201) return recorder.write({ kind: 'told', title, id: answer.data.id });
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
      return recorder.write({ kind: 'refused', title, status: answer.status, text: answer.text });
    await wait(pauseMs * (0.5 + Math.random()));
  }
}
