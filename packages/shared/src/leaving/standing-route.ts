/** The call by which the gateway reports that a workspace is frozen, open again, or to be deleted. */
import type { FastifyInstance } from 'fastify';
import { setStandingOf } from '../contracts/internal.ts';
import { addInternalRoute } from '../http/index.ts';
import type { Logger } from '../kernel/index.ts';
import type { Database } from '../postgres/index.ts';
import { saveStanding } from './queries/standings.ts';

/** Well below the gateway's timeout of 30 s. A call that ends earlier is followed by the next. */
const workMs = 10_000;

export type DeletionRequest = {
  accountId: string;
  /** When this service first learned of the deletion. */
  since: Date;
  /** `performance.now()` after which no work begins. */
  untilMs: number;
};

export type DeletionProgress = {
  /** False: the gateway calls again. */
  isDone: boolean;
  /** For operators: what could not be done, or why it is not done yet. Null: nothing to say. */
  note: string | null;
};

export type LeavingOptions = {
  service: keyof typeof setStandingOf;
  db: Database;
  now: () => Date;
  log: Logger;
  /** Deletes what it can in the time given. Idempotent. */
  remove(request: DeletionRequest): Promise<DeletionProgress>;
};

/**
 * Adds the route. Its work is idempotent and bounded in time: the gateway repeats the call until `isDone`, so
 * no state of a deletion is kept here but the standing.
 */
export function addStandingRoute(
  app: FastifyInstance,
  { service, db, now, log, remove }: LeavingOptions,
): void {
  addInternalRoute(app, setStandingOf[service], async ({ body }) => {
    const { accountId } = body;
    const stored = await saveStanding(db, { ...body, now: now() });
    if (stored.standing !== 'deleted') return { isDone: true, note: null };
    const untilMs = performance.now() + workMs;
    const progress = await remove({ accountId, since: stored.changedAt, untilMs });
    if (progress.isDone) log.info({ accountId }, 'the rows of a deleted workspace are gone');
    return progress;
  });
}
