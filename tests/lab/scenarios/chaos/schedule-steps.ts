/** Posts scheduled, some of them withdrawn again, and some that must never happen. */
import type { Recorder } from '../../kit/run/history.ts';
import type { OfCustomer } from './content-steps.ts';
import type { Customer, Key } from './customers.ts';
import type { ChaosLine } from './history.ts';
import { askWithKey, codeOf, dataOf, isDecided, pick, type Step } from './requests.ts';

type Pair = { contentId: string; accountId: string; username: string };

export type ScheduleSteps = {
  send(): Step | undefined;
  withdraw(): Step | undefined;
  /** Publishing with a key that may not, or a content without approval. */
  improper(): Step | undefined;
  /** From now on the content is posted, once by each creator of its customer. */
  addContent(content: OfCustomer): void;
};

/** Far enough ahead to be repeated through several kills. */
export const aheadMs = { least: 15_000, most: 25_000 };
const withdrawnShare = 0.3;

export function createScheduleSteps(
  customers: readonly Customer[],
  recorder: Recorder<ChaosLine>,
  findUndecided: (customer: Customer) => string | undefined,
): ScheduleSteps {
  const pairs = new Map(customers.map(customer => [customer, pairsOf(customer, customer.contentIds)]));
  const withdrawable: { customer: Customer; id: string; title: string }[] = [];
  let titles = 0;

  function schedule(
    key: Key,
    { contentId, accountId, username }: Pair,
    isWithoutScope: boolean,
    onTold: (id: string, title: string) => void,
  ): Step {
    const title = `chaos ${titles++}`;
    const inMs = aheadMs.least + Math.random() * (aheadMs.most - aheadMs.least);
    const scheduledFor = new Date(Date.now() + inMs).toISOString();
    const isPublish = isWithoutScope || titles % 2 === 0;
    recorder.write({ kind: 'wanted', title, contentId, account: username, scheduledFor, isWithoutScope });
    const asked = {
      method: 'POST' as const,
      path: '/schedules',
      headers: { 'idempotency-key': title },
      body: {
        ...{ contentId, tiktokAccountId: accountId, scheduledFor, title },
        ...(isPublish ? { mode: 'publish', privacyLevel: 'SELF_ONLY' } : {}),
      },
    };
    return askWithKey('schedule', key, asked, answer => {
      if (!isDecided(answer)) return 'again';
      if (answer.status !== 201) {
        recorder.write({ kind: 'refused', title, code: codeOf(answer) });
        return undefined;
      }
      const { id } = dataOf<{ id: string }>(answer);
      recorder.write({ kind: 'scheduled', title, id });
      onTold(id, title);
      return undefined;
    });
  }

  return {
    send() {
      const customer = pick(customers);
      const pair = pairs.get(customer)?.shift();
      if (!pair) return undefined;
      return schedule(pick(customer.keys), pair, false, (id, title) => {
        if (Math.random() < withdrawnShare) withdrawable.push({ customer, id, title });
      });
    },
    withdraw() {
      const one = withdrawable.shift();
      if (!one) return undefined;
      const asked = { method: 'DELETE', path: `/schedules/${one.id}` } as const;
      return askWithKey('withdraw', pick(one.customer.keys), asked, answer => {
        recorder.write({ kind: 'withdrawn', title: one.title, status: answer?.status ?? 0 });
        return undefined;
      });
    },
    improper() {
      const customer = pick(customers);
      const { id: accountId, username } = pick(customer.accounts);
      const isWithoutScope = Math.random() < 0.5;
      const contentId = isWithoutScope ? pick(customer.contentIds) : findUndecided(customer);
      if (contentId === undefined) return undefined;
      const key = isWithoutScope ? customer.narrow : pick(customer.keys);
      return schedule(key, { contentId, accountId, username }, isWithoutScope, () => {});
    },
    addContent({ customer, contentId }) {
      pairs.get(customer)?.push(...pairsOf(customer, [contentId]));
    },
  };
}

function pairsOf({ accounts }: Customer, contentIds: readonly string[]): Pair[] {
  return contentIds.flatMap(contentId =>
    accounts.map(({ id, username }) => ({ contentId, accountId: id, username })),
  );
}
