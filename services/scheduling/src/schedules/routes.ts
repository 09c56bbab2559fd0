import { ApiError, notFound } from '@hookline/shared/contracts';
import { schedulesOfKeyMax } from '@hookline/shared/contracts/auth';
import * as internal from '@hookline/shared/contracts/internal';
import * as contracts from '@hookline/shared/contracts/schedules';
import { addInternalRoute, addRoute, addWriteRoute } from '@hookline/shared/http';
import { readPage, toPage } from '@hookline/shared/kernel';
import type { FastifyInstance } from 'fastify';
import type { SchedulingDeps } from '../deps.ts';
import { deleteSchedule, retrySchedule, withdrawSchedulesOfKey } from './change.ts';
import {
  countScheduled,
  findSchedule,
  listSchedules,
  listSchedulesByTime,
  listWaitingOfKey,
} from './queries.ts';
import { listTimeline } from './queries-timeline.ts';
import { type ScheduleRow, toScheduleOfKey, toScheduleWithPicture } from './record.ts';

export function addScheduleRoutes(app: FastifyInstance, deps: SchedulingDeps): void {
  const toSchedule = (row: ScheduleRow) => toScheduleWithPicture(row, deps);

  addRoute(app, contracts.listSchedules, async ({ query, caller }) => {
    const page = readPage(query);
    const { from, to } = query;
    const filter = { ...query, accountId: caller.accountId };
    if (from === undefined && to === undefined) {
      const rows = await listSchedules(deps.db, filter, page);
      return toPage(rows, page, toSchedule);
    }
    const times = { from: from ? new Date(from) : null, until: to ? new Date(to) : null };
    const rows = await listSchedulesByTime(deps.db, { ...filter, ...times }, page);
    return toPage(rows, page, toSchedule, row => row.scheduledFor);
  });

  addRoute(app, contracts.getSchedule, async ({ params, caller }) => {
    // One snapshot never shows a status with the timeline of a later one.
    const [row, timeline] = await deps.db.snapshot(sql =>
      Promise.all([findSchedule(sql, caller.accountId, params.id), listTimeline(sql, params.id)]),
    );
    if (!row) throw notFound('schedule');
    return { data: { ...toSchedule(row), timeline } };
  });

  addRoute(app, contracts.deleteSchedule, async ({ params, caller }) => {
    await deleteSchedule(deps, { caller, id: params.id });
    return { data: { id: params.id, deleted: true as const } };
  });

  addWriteRoute(app, deps, contracts.retrySchedule, {
    write: async (tx, { params, caller }) => ({
      data: toSchedule(await retrySchedule(deps, tx, { caller, id: params.id })),
    }),
  });

  addInternalRoute(app, internal.listSchedulesOfKey, async ({ body: { keyId }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    const rows = await listWaitingOfKey(
      deps.db,
      { accountId: caller.accountId, keyId },
      schedulesOfKeyMax + 1,
    );
    return {
      schedules: rows.slice(0, schedulesOfKeyMax).map(toScheduleOfKey),
      more: rows.length > schedulesOfKeyMax,
    };
  });

  addInternalRoute(app, internal.countScheduled, async ({ body: { until }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    return { count: await countScheduled(deps.db, caller.accountId, new Date(until)) };
  });

  addInternalRoute(app, internal.withdrawSchedulesOfKey, async ({ body: { keyId }, call: { caller } }) => {
    if (!caller) throw new ApiError('unauthorized');
    return await withdrawSchedulesOfKey(deps, { accountId: caller.accountId, keyId });
  });
}
