import { ApiError } from '@hookline/shared/contracts';
import { requestSendPermit, requestSendPermits } from '@hookline/shared/contracts/internal';
import type { ServiceClient } from '@hookline/shared/http';
import type { z } from 'zod';

export type PermitOrder = { scheduleId: string; contentId: string; accountId: string; afterSequence: number };
export type Permit = z.output<(typeof requestSendPermit)['response']>;
export type PermitPeers = { peers: ServiceClient };

/** Asks content for the right to send now. @throws ApiError when content cannot be asked. */
export type AskPermit = (order: PermitOrder) => Promise<Permit>;

/** One call to content for all of them. @throws ApiError when content cannot be asked. */
export async function askPermits(
  { peers }: PermitPeers,
  orders: readonly PermitOrder[],
): Promise<readonly Permit[]> {
  const [only] = orders;
  if (orders.length === 1 && only) {
    const { contentId, ...body } = only;
    return [await peers.call(requestSendPermit, { params: { id: contentId }, body })];
  }
  const { answers } = await peers.call(requestSendPermits, { body: { permits: [...orders] } });
  return answers;
}

export function isContentAway(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503;
}
