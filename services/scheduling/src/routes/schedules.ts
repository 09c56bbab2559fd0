import { ApiError, notFound } from '@hookline/shared/contracts';
import { preflightContent } from '@hookline/shared/contracts/content';
import { getContentForPosting } from '@hookline/shared/contracts/internal';
import * as contracts from '@hookline/shared/contracts/schedules';
import { addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import { answerCreate } from '../actions/answer-create.ts';
import { deleteSchedule, reschedule, retrySchedule } from '../actions/change-schedule.ts';
import { findPostProblems, nothingLearned, type PostProblem } from '../actions/check-post.ts';
import type { Parts } from '../parts.ts';
import { findPlatformAccount } from '../queries/platform-accounts.ts';
import { findSchedule, listSchedules, toSchedule } from '../queries/schedules.ts';
import { listTimeline } from '../queries/timeline.ts';
import { readScheduledFor } from '../rules/schedule-time.ts';

export function addScheduleRoutes(app: FastifyInstance, parts: Parts): void {
  addRoute(app, contracts.createSchedule, input => answerCreate(parts, input));

  addRoute(app, contracts.listSchedules, async ({ query, caller }) => {
    const page = readPage(query);
    const rows = await listSchedules(parts.db, caller.accountId, query, page);
    return toPage(rows, page, row => row, toSchedule);
  });

  addRoute(app, contracts.getSchedule, async ({ params, caller }) => {
    // Of one instant: a status never stands beside the timeline of a later one.
    const [row, timeline] = await parts.db.snapshot(sql =>
      Promise.all([findSchedule(sql, caller.accountId, params.id), listTimeline(sql, params.id)]),
    );
    if (!row) throw notFound('schedule');
    return { data: { ...toSchedule(row), timeline } };
  });

  addRoute(app, contracts.updateSchedule, async ({ params, body, caller }) => {
    const time = readScheduledFor(body.scheduledFor, parts.now());
    return { data: toSchedule(await reschedule(parts, caller, params.id, time)) };
  });

  addRoute(app, contracts.deleteSchedule, async ({ params, caller }) => {
    await deleteSchedule(parts, caller, params.id);
    return { data: { id: params.id, deleted: true as const } };
  });

  addWriteRoute(app, parts, contracts.retrySchedule, {
    write: async (tx, { params, caller }) => ({
      data: toSchedule(await retrySchedule(parts, tx, caller, params.id)),
    }),
  });

  addRoute(app, preflightContent, async ({ params, query, caller }) => {
    const { content } = await parts.peers.call(getContentForPosting, { body: {}, params, caller });
    const account = query.tiktokAccountId
      ? await findPlatformAccount(parts.db, caller.accountId, query.tiktokAccountId)
      : null;
    const problems: PostProblem[] = [];
    if (query.tiktokAccountId && !account) {
      problems.push({ error: new ApiError('account_not_found'), slide: null, measured: null, limit: null });
    }
    const check = {
      content,
      account,
      mode: query.mode ?? 'draft',
      privacyLevel: query.privacyLevel,
      isImmediate: false,
    } as const;
    for await (const found of findPostProblems(parts, check, nothingLearned())) problems.push(found);
    return {
      data: {
        postable: problems.length === 0,
        problems: problems.map(({ error, ...facts }) => ({
          code: error.code,
          ...facts,
          message: error.message,
        })),
      },
    };
  });
}
