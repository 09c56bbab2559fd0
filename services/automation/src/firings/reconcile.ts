import { appendEvent } from '@hookline/shared/bus';
import * as contracts from '@hookline/shared/contracts/internal';
import { automationFired } from '@hookline/shared/events';
import type { Transaction } from '@hookline/shared/postgres';
import { lockAnyAutomation } from '../automations/queries.ts';
import type { AutomationDeps } from '../deps.ts';
import { countReconciled } from '../metrics.ts';
import {
  appendScheduleRequest,
  type FiringFact,
  move,
  recordGeneration,
  recordRejection,
  recordSchedule,
  requestSchedule,
} from './advance.ts';
import { hasEnded } from './firing.rules.ts';
import { type FiringFacts, type MissedNews, missedNews } from './missed-news.rules.ts';
import { listOpenFirings, lockFiring, updateFiring } from './queries.ts';
import type { FiringRow, OpenFiringRow } from './record.ts';
import { firedEvent } from './settle.ts';

// An event takes seconds. An older one was lost, or waits in a queue and is harmless to apply twice.
const silentMs = 30 * 60_000;

/** The firing to continue after. */
export type FiringCursor = Pick<FiringRow, 'id' | 'updatedAt'>;

/**
 * Compares firings unchanged for 30 minutes with their contents and schedules, and applies the events they
 * missed, or publishes their cause again. One page per call; a firing that throws is logged and skipped.
 * @returns the firing to continue after; null at the end.
 * @throws ApiError if content or scheduling does not answer.
 */
export async function reconcileFirings(
  deps: Pick<AutomationDeps, 'db' | 'peers' | 'now' | 'log'>,
  after: FiringCursor | null,
): Promise<FiringCursor | null> {
  const { db, peers, now, log } = deps;
  const before = new Date(now().getTime() - silentMs);
  const firings = await listOpenFirings(db, before, after, contracts.reconcilePageMax);
  if (firings.length === 0) return null;
  const body = { firingIds: firings.map(firing => firing.id) };
  const [{ contents }, { answers }] = await Promise.all([
    peers.call(contracts.findContentsOfFirings, { body }),
    peers.call(contracts.findSchedulesOfFirings, { body }),
  ]);
  for (const [index, firing] of firings.entries()) {
    const content = contents[index] ?? null;
    const { schedule, request } = answers[index] ?? { schedule: null, request: 'none' };
    const facts: FiringFacts = {
      schedule,
      request,
      content: content && { ...content, decidedAt: content.decidedAt ? new Date(content.decidedAt) : null },
    };
    const news = missedNews(firing, facts, now());
    if (news.kind === 'none') continue;
    try {
      await db.transaction(tx => apply(tx, firing, facts, news, now()));
      log.warn({ firingId: firing.id, news: news.kind }, 'a firing had missed an event');
      countReconciled();
    } catch (error) {
      log.error({ err: error, firingId: firing.id }, 'a firing could not be reconciled');
    }
  }
  return firings.length === contracts.reconcilePageMax ? (firings.at(-1) ?? null) : null;
}

async function apply(
  tx: Transaction,
  firing: OpenFiringRow,
  { content, schedule }: FiringFacts,
  news: Exclude<MissedNews, { kind: 'none' }>,
  now: Date,
): Promise<void> {
  const fact: FiringFact = { accountId: firing.accountId, firingId: firing.id, now };
  const contentId = content?.id ?? schedule?.contentId ?? firing.contentId ?? '';
  switch (news.kind) {
    case 'generation':
      return await recordGeneration(
        tx,
        fact,
        firing.automationId,
        contentId,
        news.failure,
        content?.waitsBecause ?? null,
      );
    case 'approval':
      return await requestSchedule(tx, fact, firing.automationId, contentId);
    case 'rejection':
      return await recordRejection(tx, fact, contentId);
    case 'schedule': {
      const ids = { contentId, scheduleId: schedule?.id ?? null };
      return await recordSchedule(tx, fact, news.status, ids, news.reason);
    }
    case 'fire_again':
    case 'request_again':
      return await publishCauseAgain(tx, fact, firing, news.kind);
    case 'over': {
      const locked = await lockFiring(tx, firing.accountId, firing.id);
      if (locked) await move(tx, locked, news.status, now, news.reason);
    }
  }
}

/** Creates nothing for an automation that has since been deleted or paused, as after an approval. */
async function publishCauseAgain(
  tx: Transaction,
  { now, accountId }: FiringFact,
  { id, automationId }: OpenFiringRow,
  cause: 'fire_again' | 'request_again',
): Promise<void> {
  const automation = await lockAnyAutomation(tx, accountId, automationId);
  const firing = automation && (await lockFiring(tx, accountId, id));
  if (!firing || hasEnded(firing.status)) return;
  if (automation.deletedAt || automation.status === 'paused') {
    const state = automation.deletedAt ? 'deleted' : 'paused';
    await move(tx, firing, 'skipped', now, `the automation was ${state}`);
    return;
  }
  if (cause === 'fire_again') await appendEvent(tx, automationFired, firedEvent(automation, firing, now));
  else if (firing.contentId) await appendScheduleRequest(tx, automation, firing, firing.contentId, now);
  // Marked as changed now, so that the next comparison comes in 30 minutes.
  await updateFiring(tx, firing, now);
}
