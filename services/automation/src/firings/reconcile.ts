import { appendEvent } from '@hookline/shared/bus';
import * as contracts from '@hookline/shared/contracts/internal';
import { automationFired } from '@hookline/shared/events';
import { listFrozen } from '@hookline/shared/leaving';
import { lockAnyAutomation } from '../automations/queries.ts';
import type { AutomationDeps } from '../deps.ts';
import { countReconciled } from '../metrics.ts';
import {
  appendScheduleRequest,
  type FactContext,
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
import { firedEvent, frozenReason } from './settle.ts';

// An event takes seconds. An older one was lost, or waits in a queue and is harmless to apply twice.
const silentMs = 30 * 60_000;

export type FiringCursor = Pick<FiringRow, 'id' | 'updatedAt'>;

/**
 * Compares firings unchanged for 30 minutes with their contents and schedules, and applies the events they
 * missed, or publishes their cause again. A firing that throws is logged and skipped.
 * @returns the firing to continue after; null at the end
 */
export async function reconcileFirings(
  deps: Pick<AutomationDeps, 'db' | 'peers' | 'now' | 'log'>,
  after: FiringCursor | null,
): Promise<FiringCursor | null> {
  const { db, peers, now, log } = deps;
  const before = new Date(now().getTime() - silentMs);
  const firings = await listOpenFirings(db, { before, after, limit: contracts.reconcilePageMax });
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
      const about = { accountId: firing.accountId, firingId: firing.id, now: now() };
      await db.transaction(tx => apply({ tx, ...about }, { firing, ...facts }, news));
      log.warn({ firingId: firing.id, news: news.kind }, 'a firing had missed an event');
      countReconciled();
    } catch (error) {
      log.error({ err: error, firingId: firing.id }, 'a firing could not be reconciled');
    }
  }
  return firings.length === contracts.reconcilePageMax ? (firings.at(-1) ?? null) : null;
}

async function apply(
  ctx: FactContext,
  { firing, content, schedule }: Pick<FiringFacts, 'content' | 'schedule'> & { firing: OpenFiringRow },
  news: Exclude<MissedNews, { kind: 'none' }>,
): Promise<void> {
  const { automationId } = firing;
  const contentId = content?.id ?? schedule?.contentId ?? firing.contentId ?? '';
  const waitsBecause = content?.waitsBecause ?? null;
  const isByItself = firing.approvalMode === 'auto' && waitsBecause === null;
  switch (news.kind) {
    case 'generation':
      return await recordGeneration(ctx, { automationId, contentId, failure: news.failure, waitsBecause });
    case 'approval':
      return await requestSchedule(ctx, { automationId, contentId, isByItself });
    case 'rejection':
      return await recordRejection(ctx, contentId);
    case 'schedule': {
      const { status, reason } = news;
      return await recordSchedule(ctx, { status, contentId, scheduleId: schedule?.id ?? null, reason });
    }
    case 'fire_again':
    case 'request_again':
      return await publishCauseAgain(ctx, automationId, news.kind);
    case 'over': {
      const locked = await lockFiring(ctx.tx, ctx.accountId, ctx.firingId);
      if (locked) await move(ctx, locked, news.status, news.reason);
    }
  }
}

/** Creates nothing for an automation that has since been deleted or paused, as after an approval. */
async function publishCauseAgain(
  ctx: FactContext,
  automationId: string,
  cause: 'fire_again' | 'request_again',
): Promise<void> {
  const { tx, now, accountId, firingId } = ctx;
  const automation = await lockAnyAutomation(tx, accountId, automationId);
  const firing = automation && (await lockFiring(tx, accountId, firingId));
  if (!firing || hasEnded(firing.status)) return;
  if (automation.deletedAt || automation.status === 'paused') {
    const state = automation.deletedAt ? 'deleted' : 'paused';
    return await move(ctx, firing, 'skipped', `the automation was ${state}`);
  }
  if (cause === 'fire_again' && (await listFrozen(tx, [accountId])).has(accountId)) {
    return await move(ctx, firing, 'skipped', frozenReason);
  }
  const { contentId } = firing;
  if (cause === 'fire_again') await appendEvent(tx, automationFired, firedEvent(automation, firing, now));
  else if (contentId) await appendScheduleRequest(ctx, automation, { ...firing, contentId });
  // The firing counts as changed, so that the next comparison comes in 30 minutes.
  await updateFiring(tx, firing, now);
}
