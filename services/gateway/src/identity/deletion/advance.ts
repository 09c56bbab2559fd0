import { ownersOfData, setStandingOf } from '@hookline/shared/contracts/internal';
import { deleteRows } from '@hookline/shared/leaving';
import type { IdentityDeps } from '../../identity-deps.ts';
import { markRevokedIn } from '../keys/queries.ts';
import { lockWorkspaceIfAny } from '../standing/queries.ts';
import { nextReport, type Reported, reportLeaseMs, reportTimeoutMs } from './plan.rules.ts';
import {
  claimReport,
  findConfirmed,
  findDeletion,
  findExpired,
  findNextDue,
  markBegun,
  markEnded,
  reportToAll,
  saveReport,
} from './queries.ts';
import { deletePeople, deletionSteps } from './queries-rows.ts';
import type { DueReport } from './record.ts';

type Deps = Pick<IdentityDeps, 'db' | 'log' | 'now' | 'clockIsSteady' | 'peers' | 'admissions'>;

/** One poll deletes rows of this schema for so long, and begins no other deletion afterwards. */
const workMs = 10_000;

/**
 * Does the next step of a deletion: begins one whose grace period is over, reports a standing to a service,
 * or deletes the rows of this schema once every service has confirmed. Each step is idempotent, and a step
 * that a dead process left is taken up by another.
 */
export async function advanceDeletions(deps: Deps): Promise<boolean | Date> {
  const now = deps.now();
  const expired = deps.clockIsSteady() ? await findExpired(deps.db, now) : [];
  if (await anyDone(deps, expired, begin)) return true;
  const due = await claimReport(deps.db, now, new Date(now.getTime() + reportLeaseMs));
  if (due) {
    await report(deps, due);
    return true;
  }
  if (await anyDone(deps, await findConfirmed(deps.db), finish)) return true;
  const next = await findNextDue(deps.db, now);
  // The loop sleeps by the machine's clock; the deletions follow the service's.
  return next ? new Date(Date.now() + next.getTime() - now.getTime()) : false;
}

/**
 * Tries the step for each in turn until one succeeds, so that a failing deletion does not hold up the others.
 */
async function anyDone(
  deps: Deps,
  accountIds: readonly string[],
  step: (deps: Deps, accountId: string) => Promise<void>,
): Promise<boolean> {
  const untilMs = performance.now() + workMs;
  for (const accountId of accountIds) {
    // Slow failures, for a lock say, must not hold up the reports of the others.
    if (performance.now() > untilMs) break;
    try {
      await step(deps, accountId);
      return true;
    } catch (error) {
      deps.log.error({ err: error, accountId }, 'a step of the deletion of a workspace failed');
    }
  }
  return false;
}

/** No restore is possible from here on: nobody can enter the workspace, and every service deletes. */
async function begin({ db, log, now, admissions }: Deps, accountId: string): Promise<void> {
  const revoked = await db.transaction(async tx => {
    const at = now();
    await lockWorkspaceIfAny(tx, accountId);
    const deletion = await findDeletion(tx, accountId);
    // Restored, or begun by another gateway, since it was found.
    if (deletion?.standing !== 'frozen' || deletion.deleteAt > at) return [];
    await markBegun(tx, accountId, at);
    await reportToAll(tx, { accountId, services: ownersOfData }, at);
    const keys = await markRevokedIn(tx, accountId, at);
    await deletePeople(tx, accountId);
    return keys;
  });
  // A process that dies before this leaves copies of the keys for 6 s at most.
  await Promise.all(revoked.map(({ keyHash }) => admissions.revoke(keyHash.toString('base64url'))));
  log.info({ accountId }, 'the deletion of a workspace began');
}

async function report({ db, log, now, peers }: Deps, due: DueReport): Promise<void> {
  const { accountId, service, standing, revision, attempts, deletedAt } = due;
  const reported: Reported = await peers
    .call(setStandingOf[service], { body: { accountId, standing, revision }, timeoutMs: reportTimeoutMs })
    .then(
      answer => ({ kind: 'answered' as const, ...answer }),
      error => ({ kind: 'failed' as const, reason: (error as Error).message }),
    );
  const next = nextReport({ standing, attempts, isDeleted: deletedAt !== null }, reported);
  const at = now();
  await saveReport(db, due, {
    dueAt: next.dueInMs === null ? null : new Date(at.getTime() + next.dueInMs),
    attempts: next.attempts,
    deletedAt: next.isDeleted ? (deletedAt ?? at) : null,
    note: next.note,
  });
  if (reported.kind === 'failed') {
    log.warn(
      { accountId, service, standing, ...next },
      'a service did not take the standing of a workspace yet',
    );
  }
}

async function finish({ db, log, now }: Deps, accountId: string): Promise<void> {
  if (!(await deleteRows(db, deletionSteps, accountId, performance.now() + workMs))) return;
  await db.transaction(tx => markEnded(tx, accountId, now()));
  log.info({ accountId }, 'a workspace was deleted');
}
