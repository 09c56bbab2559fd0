import { ApiError } from '@hookline/shared/contracts';
import { requestSendPermit, requestSendPermits } from '@hookline/shared/contracts/internal';
import type { ServiceClient } from '@hookline/shared/http';
import { createGatherer } from '@hookline/shared/kernel';
import { isConnectionError } from '@hookline/shared/postgres';
import type { z } from 'zod';
import { type AcceptDeps, type AcceptedCall, acceptAttempts } from './accept-attempts.ts';
import { type BeginDeps, type Beginning, type Begun, beginAttempts } from './begin-attempts.ts';

type PermitOrder = { scheduleId: string; contentId: string; accountId: string; afterSequence: number };
export type Permit = z.output<(typeof requestSendPermit)['response']>;

/**
 * Steps that concurrent sends share: one call to content, or one transaction, for all that arrive at the
 * same time.
 */
export type SendBatches = {
  /** Asks content for the right to send now. @throws ApiError when content cannot be asked. */
  askPermit(order: PermitOrder): Promise<Permit>;
  begin(beginning: Beginning): Promise<Begun>;
  accept(call: AcceptedCall): Promise<null>;
};

const batchMax = 32;

export function createSendBatches(deps: { peers: ServiceClient } & BeginDeps & AcceptDeps): SendBatches {
  return {
    askPermit: createGatherer(orders => askPermits(deps, orders), batchMax, isContentAway),
    begin: createGatherer<Beginning, Begun>(items => beginAttempts(deps, items), batchMax, isConnectionError),
    accept: createGatherer<AcceptedCall, null>(
      calls => acceptAttempts(deps, calls),
      batchMax,
      isConnectionError,
    ),
  };
}

/** One call to content for all of them. @throws ApiError when content cannot be asked. */
async function askPermits(
  { peers }: { peers: ServiceClient },
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

function isContentAway(error: unknown): boolean {
  return error instanceof ApiError && error.status === 503;
}
