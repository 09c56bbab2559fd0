import type { ContentMoment } from '@hookline/shared/contracts/content-timeline';
import { exampleIds } from '@hookline/shared/contracts/examples';
import { recordOf } from '@hookline/shared/contracts/rows';
import {
  Account,
  CreatedSchedule,
  CreateScheduleBody,
  type CreateScheduleBody as CreateScheduleInput,
  privacyLevels,
  type Schedule,
  type ScheduleWithTimeline,
  scheduleModes,
  scheduleStatuses,
  TimelineEntry,
} from '@hookline/shared/contracts/schedules';
import { z } from 'zod';
import { type Api, ask, create, queryOf, RecordEnded } from '../api.ts';
import { again, args, defineTool, reads, writes } from '../tool.ts';
import { readContent } from './decks.ts';
import { id, type Page, paging, rows } from './lists.ts';

type Created = z.output<typeof CreatedSchedule>;

const deckId = id('the deck (content)', exampleIds.content);
const scheduleId = id('the schedule', exampleIds.schedule);
const body = CreateScheduleBody.shape;
const Post = CreatedSchedule.pick({
  ...{ id: true, contentId: true, contentVersion: true, tiktokAccountId: true, status: true, mode: true },
  ...{ privacyLevel: true, scheduledFor: true, title: true, description: true, outcome: true },
  ...{ failure: true, platformPostUrl: true },
});
/** The rest is answered too: a client that asked for the schedule knows it. */
const Moved = CreatedSchedule.pick({ id: true, status: true, scheduledFor: true });

const postOf = (schedule: Created) => recordOf(Post, schedule);

function pathOf(schedule: string): string {
  return `/schedules/${encodeURIComponent(schedule)}`;
}

const AccountRow = Account.pick({
  ...{ id: true, username: true, displayName: true, appId: true, status: true },
  ...{ canPublish: true, privacyLevels: true },
});

export const listAccounts = defineTool({
  ...reads,
  name: 'list_accounts',
  title: 'List TikTok accounts',
  description:
    'Lists the connected TikTok accounts: whether they can publish, and which privacy levels they allow. Costs nothing. Accounts are connected by a person in the console.',
  scopes: [],
  input: args(paging),
  output: rows(AccountRow),
  run: async ({ limit = 20, cursor }, { api }) => {
    const { data, nextCursor } = await ask<Page<Account>>(
      api,
      'GET',
      `/accounts${queryOf({ limit, cursor })}`,
    );
    return { record: { rows: data.map(account => recordOf(AccountRow, account)), nextCursor } };
  },
});

export const listSchedules = defineTool({
  ...reads,
  name: 'list_schedules',
  title: 'List schedules',
  description: 'Lists posts that wait, are being sent, were sent or failed, newest first. Costs nothing.',
  scopes: ['schedules:read'],
  input: args({
    status: z
      .enum(scheduleStatuses, { error: `must be one of ${scheduleStatuses.join(', ')}` })
      .optional()
      .meta({ description: 'Only schedules in this state.', examples: ['pending'] }),
    deckId: deckId.optional(),
    ...paging,
  }),
  output: rows(Post),
  run: async ({ status, deckId, limit = 20, cursor }, { api }) => {
    const query = queryOf({ status, contentId: deckId, limit, cursor });
    const { data, nextCursor } = await ask<Page<Schedule>>(api, 'GET', `/schedules${query}`);
    return { record: { rows: data.map(postOf), nextCursor } };
  },
});

export const scheduleDeck = defineTool({
  ...writes,
  name: 'schedule_deck',
  title: 'Schedule a deck',
  description:
    'Posts an approved deck to a TikTok account, now, at scheduledFor or in the next free slot, as a draft in the TikTok app (default) or published. Without confirm: true it is a dry run that makes every check and writes nothing. Publishing also needs the scope schedules:publish and a privacyLevel. Costs no credits. It is posted with the approved texts. Refused for a deck that is not approved.',
  scopes: ['schedules:write'],
  reachesOutside: true,
  input: args({
    deckId,
    tiktokAccountId: id('the TikTok account', exampleIds.account),
    scheduledFor: body.scheduledFor.meta({
      description: 'When to post, with an offset. Left out: now.',
      examples: ['2026-12-01T09:00:00+01:00'],
    }),
    slot: body.slot,
    mode: z
      .enum(scheduleModes, { error: `must be one of ${scheduleModes.join(', ')}` })
      .optional()
      .meta({ description: 'draft (default) or publish.' }),
    privacyLevel: z
      .enum(privacyLevels, { error: `must be one of ${privacyLevels.join(', ')}` })
      .optional()
      .meta({ description: 'Required for publish; list_accounts shows what the account allows.' }),
    confirm: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .meta({ description: 'true: really schedule it. Otherwise a dry run.', examples: [true] }),
    ...again,
  }),
  output: Post.extend({ dryRun: z.boolean() }),
  run: async ({ deckId, confirm = false, idempotencyKey: _, ...fields }, { api, once }) => {
    const request: CreateScheduleInput = { contentId: deckId, ...fields };
    if (!confirm) {
      const { data } = await ask<{ data: Created }>(api, 'POST', '/schedules?dryRun=true', request);
      return { record: { ...postOf(data), dryRun: true } };
    }
    const { record: schedule, isReplay } = await create<Schedule>(api, '/schedules', request, once);
    if (isReplay && schedule.status === 'failed') throw endedAs(schedule);
    return { record: { ...postOf(schedule), dryRun: false } };
  },
});

function endedAs({ id, failure }: Schedule): RecordEnded {
  const retry = failure?.retryable
    ? `Call retry_schedule with ${id}, or schedule_deck`
    : 'Call schedule_deck';
  return new RecordEnded(
    failure?.code ?? 'internal_error',
    `An earlier call with these arguments created ${id}, which has failed. ${failure?.message ?? ''}`.trimEnd(),
    failure?.code === 'outcome_unknown'
      ? 'Stop and let the person look at the account: it may have been posted.'
      : `${retry} with another idempotencyKey for a new schedule.`,
  );
}

export const moveSchedule = defineTool({
  ...writes,
  name: 'move_schedule',
  title: 'Move a schedule',
  description:
    'Gives a pending schedule another time. Costs nothing. A schedule that publishes also needs the scope schedules:publish.',
  scopes: ['schedules:write'],
  input: args({
    scheduleId,
    scheduledFor: body.scheduledFor.unwrap().meta({
      description: 'The new time, with an offset.',
      examples: ['2026-12-01T09:00:00+01:00'],
    }),
  }),
  output: Moved,
  run: async ({ scheduleId, scheduledFor }, { api }) => {
    const { data } = await ask<{ data: Schedule }>(api, 'PATCH', pathOf(scheduleId), { scheduledFor });
    return { record: postOf(data) };
  },
});

export const cancelSchedule = defineTool({
  ...writes,
  name: 'cancel_schedule',
  title: 'Cancel a schedule',
  description:
    'Withdraws a pending schedule: nothing is posted after the answer. One that publishes also needs the scope schedules:publish. Cannot be undone; a post that is being sent or was sent is refused. Costs nothing. The deck stays.',
  effect: 'removes',
  scopes: ['schedules:write'],
  input: args({ scheduleId }),
  output: z.object({ id: z.string(), deleted: z.boolean() }),
  run: async ({ scheduleId }, { api }) => ({
    record: (await ask<{ data: Record<string, unknown> }>(api, 'DELETE', pathOf(scheduleId))).data,
  }),
});

export const retrySchedule = defineTool({
  ...writes,
  name: 'retry_schedule',
  title: 'Retry a failed schedule',
  description:
    'Sends a failed schedule again, if its failure.retryable is true. Costs nothing. A schedule that publishes also needs the scope schedules:publish.',
  // A second retry after another failure is meant, so nothing is derived from the arguments.
  isIdempotent: false,
  scopes: ['schedules:write'],
  reachesOutside: true,
  input: args({ scheduleId }),
  output: Moved,
  run: async ({ scheduleId }, { api }) => {
    const { data } = await ask<{ data: Schedule }>(api, 'POST', `${pathOf(scheduleId)}/retry`);
    return { record: postOf(data) };
  },
});

const Entry = TimelineEntry.extend({ scheduleId: z.string().nullable(), by: z.string().nullable() });
/** Entries of a deck that are answered: a context has room for these, and what matters now is at the end. */
const entriesMax = 100;

export const why = defineTool({
  ...reads,
  name: 'why',
  title: 'Why was it posted, or not',
  description:
    'Answers what happened to a deck or a schedule, oldest first: who made, edited and decided, attempts, what TikTok said, and the failure if there is one. Pass the id of either: a schedule has every attempt. Costs nothing; of a deck at most the 100 newest entries and the state of its five newest schedules.',
  scopes: ['content:read', 'schedules:read'],
  input: args({ id: id('the deck (content_…) or the schedule (schedule_…)', exampleIds.schedule) }),
  output: z.object({ summary: z.string(), timeline: z.array(Entry) }),
  run: async ({ id }, { api }) => {
    if (!id.startsWith('content_')) {
      const schedule = await readSchedule(api, id);
      return { record: { summary: summaryOf(schedule), timeline: timelineOf(schedule) } };
    }
    const content = await readContent(api, id);
    const moments = await ask<{ data: ContentMoment[] }>(
      api,
      'GET',
      `/content/${encodeURIComponent(id)}/timeline`,
    );
    const query = queryOf({ contentId: id, limit: 5 });
    const schedules = await ask<Page<Schedule>>(api, 'GET', `/schedules${query}`);
    const timeline = moments.data.slice(-entriesMax).map(({ at, what, version, by, detail, scheduleId }) => ({
      at,
      what: version === null ? what : `version ${version} ${what}`,
      by: by?.kind === 'reviewer' ? `the reviewer ${by.name}` : (by?.name ?? null),
      detail,
      scheduleId,
    }));
    const state = `The deck is ${content.status} and ${content.approvalStatus} (version ${content.version}).`;
    const sentences = [state, ...schedules.data.toReversed().map(summaryOf)];
    return { record: { summary: sentences.join(' '), timeline } };
  },
});

async function readSchedule(api: Api, schedule: string): Promise<ScheduleWithTimeline> {
  return (await ask<{ data: ScheduleWithTimeline }>(api, 'GET', pathOf(schedule))).data;
}

function timelineOf({ id, timeline }: ScheduleWithTimeline) {
  return timeline.map(({ at, what, detail }) => ({ at, what, by: null, detail, scheduleId: id }));
}

function summaryOf({ id, status, mode, scheduledFor, outcome, failure }: Schedule): string {
  const end = failure
    ? ` ${failure.message}${failure.retryable ? ' retry_schedule can send it again.' : ''}`
    : outcome
      ? ` Outcome: ${outcome}.`
      : '';
  return `${id}: ${mode}, ${status}, for ${scheduledFor}.${end}`;
}
