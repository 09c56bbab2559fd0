import { ApiError } from '@hookline/shared/contracts';
import { requestSendPermit, requestSendPermits } from '@hookline/shared/contracts/internal';
import type { ServiceClient } from '@hookline/shared/http';
import { createGatherer } from '@hookline/shared/kernel';
import { type Database, isConnectionError, isUniqueViolation } from '@hookline/shared/postgres';
import type { z } from 'zod';
import { wakePolls } from '../channels.ts';
import type { Timings } from '../timings.ts';
import { type BeginDeps, type Beginning, type Begun, beginAttempts } from './begin.ts';
import { type Claim, lockClaims, parkAll } from './queries.ts';
import { setAttemptsAccepted, takeIdsFromClosed } from './queries-claimed.ts';

type PermitOrder = {
  scheduleId: string;
  contentId: string;
  accountId: string;
  afterSequence: number;
  version?: number | undefined;
};
export type Permit = z.output<(typeof requestSendPermit)['response']>;

/** Sends that arrive at the same time share one call to content, or one transaction. */
export type SendBatches = {
  /** @throws ApiError when content cannot be asked. */
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

export type AcceptDeps = { db: Database; now: () => Date; timings: Pick<Timings, 'firstPollMs'> };

export type AcceptedCall = { claim: Claim; attemptId: string; publishId: string };

/**
 * Claims that another worker took over are skipped: the fence, webhooks and status calls settle their calls.
 */
export async function acceptAttempts(deps: AcceptDeps, calls: readonly AcceptedCall[]): Promise<null[]> {
  try {
    return await write(deps, calls, false);
  } catch (error) {
    if (!isUniqueViolation(error, 'attempts_publish_id')) throw error;
    // A report of a failure arrived before the answer and was attributed to an older call without an id.
    return await write(deps, calls, true);
  }
}

function write(
  { db, now, timings }: AcceptDeps,
  calls: readonly AcceptedCall[],
  takesIds: boolean,
): Promise<null[]> {
  return db.transaction(async tx => {
    const validIds = await lockClaims(
      tx,
      calls.map(call => call.claim),
    );
    const valid = calls.filter(call => validIds.has(call.claim.id));
    if (takesIds) {
      await takeIdsFromClosed(
        tx,
        valid.map(call => call.publishId),
      );
    }
    await setAttemptsAccepted(
      { tx, now: now() },
      valid.map(({ claim, attemptId, publishId }) => ({ scheduleId: claim.id, attemptId, publishId })),
      timings.firstPollMs,
    );
    await parkAll(
      tx,
      valid.map(call => call.claim),
    );
    wakePolls(tx);
    return calls.map(() => null);
  });
}
