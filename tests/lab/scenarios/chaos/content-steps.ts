/** Contents created, repeated, approved and rejected. */
import { randomBytes } from 'node:crypto';
import type { Recorder } from '../../kit/run/history.ts';
import { epochMs } from './clock.ts';
import type { Customer } from './customers.ts';
import type { ChaosLine, Decision } from './history.ts';
import { askWithKey, contentOf, createdLine, isDecided, pick, type Step } from './requests.ts';

export type OfCustomer = { customer: Customer; contentId: string };

export type ContentSteps = {
  create(): Step;
  repeat(): Step | undefined;
  decide(): Step | undefined;
  /** A content of the customer without a decision. */
  findUndecided(customer: Customer): string | undefined;
};

/** @param onPostable called for an approved content with slide images that stays approved */
export function createContentSteps(
  customers: readonly Customer[],
  recorder: Recorder<ChaosLine>,
  onPostable: (content: OfCustomer) => void,
): ContentSteps {
  const repeatable: (() => Step)[] = [];
  const toApprove: OfCustomer[] = [];
  /** Contents whose approval is decided repeatedly; none of them is posted. */
  const decidable: (OfCustomer & { last: Decision | null })[] = [];

  function create(): Step {
    const customer = pick(customers);
    const isPostable = Math.random() < 0.5;
    const key = randomBytes(9).toString('hex');
    let isKnown = false;
    const asked = contentOf(customer, key, isPostable);
    // Any key of the account sends it, so that none reaches its limit because of the others' failures.
    const send = (): Step => ({ ...askWithKey('create', pick(customer.keys), asked, onAnswer), again: send });
    const onAnswer: NonNullable<Step['onAnswer']> = answer => {
      if (!isDecided(answer)) return 'again';
      if (answer.status !== 201) return undefined;
      const { account } = customer;
      const line = createdLine({ account, key, isPostable, isAfterwards: false }, answer);
      recorder.write(line);
      if (isKnown) return undefined;
      isKnown = true;
      repeatable.push(send);
      if (isPostable) toApprove.push({ customer, contentId: line.contentId });
      else decidable.push({ customer, contentId: line.contentId, last: null });
      return undefined;
    };
    return send();
  }

  function decide(): Step | undefined {
    const first = toApprove.shift();
    if (first) return decideOn(first, 'approve', isDone => (isDone ? onPostable : retry)(first));
    const one = decidable.shift();
    if (!one) return undefined;
    const decision = one.last === 'approve' ? 'reject' : 'approve';
    return decideOn(one, decision, isDone => {
      decidable.push({ ...one, last: isDone ? decision : one.last });
    });
  }

  function retry(content: OfCustomer): void {
    toApprove.push(content);
  }

  function decideOn(
    { customer, contentId }: OfCustomer,
    decision: Decision,
    then: (isDone: boolean) => void,
  ): Step {
    const path = `/content/${contentId}/${decision}`;
    const beganMs = performance.now();
    return askWithKey('decide', pick(customer.keys), { method: 'POST', path }, answer => {
      const sentMs = epochMs(answer?.sentMs ?? beganMs);
      const doneMs = epochMs(answer?.doneMs ?? performance.now());
      recorder.write({ kind: 'decided', contentId, decision, sentMs, doneMs, status: answer?.status ?? 0 });
      then(answer?.status === 200);
      return undefined;
    });
  }

  return {
    create,
    repeat() {
      const send = repeatable.shift();
      return send && { ...send(), operation: 'repeat' };
    },
    decide,
    findUndecided: customer =>
      decidable.find(one => one.customer === customer && one.last === null)?.contentId,
  };
}
