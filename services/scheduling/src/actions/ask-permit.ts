import { ApiError } from '@hookline/shared/contracts';
import { requestSendPermit, requestSendPermits } from '@hookline/shared/contracts/internal';
import { createGatherer } from '@hookline/shared/kernel';
import type { z } from 'zod';
import type { Parts } from '../parts.ts';

export type PermitOrder = { scheduleId: string; contentId: string; accountId: string; afterSequence: number };
export type Permit = z.output<(typeof requestSendPermit)['response']>;

/** Asks content for the right to send now. @throws ApiError when content cannot be asked. */
export type AskPermit = (order: PermitOrder) => Promise<Permit>;

/** One call to content for all that ask at the same time. */
export function createPermitAsker({ peers }: Pick<Parts, 'peers'>, countMax: number): AskPermit {
  const isAway = (error: unknown): boolean => error instanceof ApiError && error.status === 503;
  const ask = async (orders: readonly PermitOrder[]): Promise<readonly Permit[]> => {
    const [only] = orders;
    if (orders.length === 1 && only) {
      const { contentId, ...body } = only;
      return [await peers.call(requestSendPermit, { params: { id: contentId }, body })];
    }
    const { answers } = await peers.call(requestSendPermits, { body: { permits: [...orders] } });
    return answers;
  };
  return createGatherer(ask, countMax, isAway);
}
