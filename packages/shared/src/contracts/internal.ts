/** Calls between services: commands that must see the last write use HTTP, events use the bus. */
import { z } from 'zod';
import { WorkOfKey } from './auth.ts';
import { Decider, EventContent } from './content.ts';
import { Credits } from './credits.ts';
import { DeckComparison } from './results.ts';
import { SharedDeck } from './review-links.ts';
import type { InternalRoute } from './route.ts';
import { accountKinds, privacyLevels, scheduleStatuses } from './schedules.ts';

const Nothing = z.object({});

/** A route whose body has nothing unless it says so. */
function internalRoute<A extends z.ZodType, B extends z.ZodType = typeof Nothing>(
  call: `${InternalRoute['method']} ${string}`,
  route: Pick<InternalRoute<B, A>, 'service' | 'callers' | 'response'> & { body?: B },
): InternalRoute<B, A> {
  const [method, path] = call.split(' ') as [InternalRoute['method'], string];
  return { body: Nothing as z.ZodType as B, ...route, method, path };
}

/** The caller's current content, with image ids. `not_found` for another account's. */
export const getContentForPosting = internalRoute('POST /internal/content/{id}/for-posting', {
  service: 'content',
  callers: ['scheduling'],
  response: z.object({ content: EventContent }),
});

/**
 * What a review link shows, after the decision if there is one. The caller is whoever made the link; `version` is null
 * while it is made, for the current one.
 */
export const reviewByLink = internalRoute('POST /internal/content/{id}/review-by-link', {
  service: 'content',
  callers: ['gateway'],
  body: z.object({
    version: z.int().nullable(),
    linkId: z.string().optional(),
    decision: z
      .object({
        kind: z.enum(['approved', 'rejected', 'changes_requested']),
        reason: z.string().nullable(),
        by: Decider,
      })
      .nullable(),
  }),
  response: z.object({ deck: SharedDeck.omit({ workspace: true, expiresAt: true }) }),
});

export const imageBytesPath = '/internal/images/{id}';

/** The bytes of a slide image, as stored. Answers the raw bytes, or `slide_missing`. */
export const getImageBytes = internalRoute(`GET ${imageBytesPath}`, {
  service: 'content',
  callers: ['scheduling'],
  response: z.never(),
});

/** True when the app exists and is the caller's. */
export const findApp = internalRoute('POST /internal/apps/{id}/find', {
  service: 'content',
  callers: ['scheduling', 'automation'],
  response: z.object({ exists: z.boolean() }),
});

const PermitRequest = z.object({
  scheduleId: z.string(),
  accountId: z.string(),
  /** Sequence of the schedule's last event: events up to it do not release this permit. */
  afterSequence: z.int(),
  /** The version that a person has posted; the current one by default. */
  version: z.int().optional(),
});

const PermitAnswer = z.discriminatedUnion('granted', [
  z.object({ granted: z.literal(true), content: EventContent }),
  z.object({
    granted: z.literal(false),
    /**
     * `not_approved` while a decision is missing or was a rejection, `not_found` when the content was
     * deleted, `outdated` when the schedule has an event after `afterSequence`.
     */
    code: z.enum(['not_approved', 'not_found', 'not_ready', 'outdated']),
    approvalStatus: z.enum(['pending', 'approved', 'rejected']).nullable(),
  }),
]);

/**
 * Requests permission to send a content now. Granted under the content's row lock: from then on approve,
 * reject and edit answer `already_sending`, until the schedule's final event, or `schedule.requeued`,
 * releases it. A repeated request for the same schedule is granted again, with the version fixed at the first
 * grant.
 */
export const requestSendPermit = internalRoute('POST /internal/content/{id}/send-permits', {
  service: 'content',
  callers: ['scheduling'],
  body: PermitRequest,
  response: PermitAnswer,
});

/** The same for several schedules at once, answered in their order. All or none: a fault grants nothing. */
export const requestSendPermits = internalRoute('POST /internal/send-permits', {
  service: 'content',
  callers: ['scheduling'],
  body: z.object({
    permits: z
      .array(PermitRequest.extend({ contentId: z.string() }))
      .min(1)
      .max(64),
  }),
  response: z.object({ answers: z.array(PermitAnswer) }),
});

/** The caller's platform account, or null. */
export const findPlatformAccount = internalRoute('POST /internal/accounts/{id}/find', {
  service: 'scheduling',
  callers: ['automation'],
  response: z.object({
    account: z
      .object({
        id: z.string(),
        appId: z.string().nullable(),
        kind: z.enum(accountKinds),
        status: z.enum(['connected', 'needs_reauth', 'disconnected']),
        privacyLevels: z.array(z.enum(privacyLevels)),
      })
      .nullable(),
  }),
});

/** Number of rows that one service compares with another's per call. */
export const reconcilePageMax = 200;

/**
 * Permits that have been open for over 30 minutes, longest first; at most `reconcilePageMax` after the given
 * one.
 */
export const listOpenPermits = internalRoute('POST /internal/open-permits', {
  service: 'content',
  callers: ['scheduling'],
  body: z.object({ after: z.object({ grantedAt: z.iso.datetime(), scheduleId: z.string() }).nullable() }),
  response: z.object({ permits: z.array(z.object({ grantedAt: z.string(), scheduleId: z.string() })) }),
});

/**
 * Releases permits whose schedule's final event content missed. `sequence` is that of the schedule's last
 * event: a permit granted after it is kept. Returns the schedules whose permit was released.
 */
export const releasePermits = internalRoute('POST /internal/open-permits/release', {
  service: 'content',
  callers: ['scheduling'],
  body: z.object({
    ends: z
      .array(z.object({ scheduleId: z.string(), outcome: z.enum(['sent', 'failed']), sequence: z.int() }))
      .max(reconcilePageMax),
  }),
  response: z.object({ released: z.array(z.string()) }),
});

/** The contents of firings, in the order requested; null where there is none. */
export const findContentsOfFirings = internalRoute('POST /internal/contents-of-firings', {
  service: 'content',
  callers: ['automation'],
  body: z.object({ firingIds: z.array(z.string()).max(reconcilePageMax) }),
  response: z.object({
    contents: z.array(
      z
        .object({
          id: z.string(),
          status: z.enum(['queued', 'running', 'ready', 'failed']),
          approvalStatus: z.enum(['pending', 'approved', 'rejected']),
          decidedAt: z.string().nullable(),
          error: z.object({ code: z.string(), message: z.string() }).nullable(),
          waitsBecause: z.string().nullable(),
        })
        .nullable(),
    ),
  }),
});

/** The schedules of firings, in the order requested. */
export const findSchedulesOfFirings = internalRoute('POST /internal/schedules-of-firings', {
  service: 'scheduling',
  callers: ['automation'],
  body: z.object({ firingIds: z.array(z.string()).max(reconcilePageMax) }),
  response: z.object({
    answers: z.array(
      z.object({
        schedule: z
          .object({
            id: z.string(),
            contentId: z.string(),
            status: z.enum(scheduleStatuses),
            failure: z.object({ code: z.string(), message: z.string() }).nullable(),
          })
          .nullable(),
        /**
         * State of the automation's request: `none` when it never arrived, or was answered over 30 days ago.
         */
        request: z.enum(['none', 'waiting', 'answered']),
      }),
    ),
  }),
});

/** What a key has made and what of it still works, for those who revoke it. */
const OfKey = z.object({ keyId: z.string() });

/**
 * The caller's automations and endpoints that a key made or changed, newest first. At most 100 of each exist.
 */
export const listWorkOfKey = internalRoute('POST /internal/work-of-key', {
  service: 'automation',
  callers: ['gateway'],
  body: OfKey,
  response: WorkOfKey.pick({ automations: true, webhooks: true }),
});

/**
 * Pauses those automations and disables those endpoints, each where asked to. A repeat finds nothing more.
 */
export const disableWorkOfKey = internalRoute('POST /internal/work-of-key/disable', {
  service: 'automation',
  callers: ['gateway'],
  body: OfKey.extend({ automations: z.boolean(), webhooks: z.boolean() }),
  response: z.object({ automationIds: z.array(z.string()), webhookIds: z.array(z.string()) }),
});

/** Whether automations that approve by themselves wait until another person confirms their brief. */
export const askForConfirmations = internalRoute('POST /internal/automations/ask-for-confirmations', {
  service: 'automation',
  callers: ['gateway'],
  /** `ofKeys`: for what keys made or changed, under `people_only`. A gateway of the version before sends none. */
  body: z.object({ isAsked: z.boolean(), ofKeys: z.boolean().optional() }),
  response: Nothing,
});

/** Whether the posts of the caller's workspace are stopped. Once it answers, no new one begins. */
export const setSendingPaused = internalRoute('POST /internal/sending-paused', {
  service: 'scheduling',
  callers: ['gateway'],
  body: z.object({ isPaused: z.boolean() }),
  response: Nothing,
});

/**
 * The caller's waiting schedules that a key made or changed, or whose automation it did, oldest first, at
 * most `schedulesOfKeyMax`.
 */
export const listSchedulesOfKey = internalRoute('POST /internal/schedules-of-key', {
  service: 'scheduling',
  callers: ['gateway'],
  body: OfKey,
  response: WorkOfKey.pick({ schedules: true, more: true }),
});

/** Withdraws those. */
export const withdrawSchedulesOfKey = internalRoute('POST /internal/schedules-of-key/withdraw', {
  service: 'scheduling',
  callers: ['gateway'],
  body: OfKey,
  response: z.object({ scheduleIds: z.array(z.string()), more: z.boolean() }),
});

/** The caller's credits, by the public route. */
export const getCreditsOfCaller = internalRoute('GET /v1/credits', {
  service: 'content',
  callers: ['gateway'],
  response: z.object({ data: Credits }),
});

/** How much of the caller's content waits for approval, by the public route. */
export const countWaiting = internalRoute('GET /v1/content/counts', {
  service: 'content',
  callers: ['gateway'],
  response: z.object({ data: z.object({ pending: z.int() }) }),
});

/** The newest of the caller's posts that are due on a phone, by the public route. */
export const listDue = internalRoute('GET /v1/schedules?status=due', {
  service: 'scheduling',
  callers: ['gateway'],
  response: z.object({ data: z.array(z.object({ id: z.string(), title: z.string() })) }),
});

/** The caller's content, by the public route. */
export const getContent = internalRoute('GET /v1/content/{id}', {
  service: 'content',
  callers: ['gateway'],
  response: z.object({ data: z.object({ id: z.string() }) }),
});

/** How many of the caller's posts are scheduled for a time before `until`. */
export const countScheduled = internalRoute('POST /internal/schedules/count', {
  service: 'scheduling',
  callers: ['gateway'],
  body: z.object({ until: z.string() }),
  response: z.object({ count: z.int() }),
});

const comparedKind = z
  .object({ of: DeckComparison.shape.of, value: z.string(), lift: z.number() })
  .nullable();

/** What the caller's workspace posted between the two times, what it brought, and what did best and worst. */
export const summarizeWeek = internalRoute('POST /internal/analytics/week', {
  service: 'analytics',
  callers: ['gateway'],
  body: z.object({ since: z.string(), until: z.string(), timezone: z.string() }),
  response: z.object({
    posted: z.int(),
    measured: z.int(),
    views: z.number(),
    best: z.object({ hook: z.string(), views: z.number() }).nullable(),
    next: comparedKind,
    // The previous version does not tell it.
    worse: comparedKind.default(null),
  }),
});

/** Number of accounts whose feeds one call reads. */
export const feedsMax = 200;

/** A new stream starts this long ago, so that it covers the reads that a page makes while it opens. */
export const feedStartMs = 30_000;

/** The newest position of each feed, and what was appended to it after a position, in the order requested. */
export const readFeeds = internalRoute('POST /internal/feeds', {
  service: 'automation',
  callers: ['gateway'],
  body: z.object({
    feeds: z
      .array(
        z.object({
          accountId: z.string(),
          /** Null asks for the position at `feedStartMs` ago, without events. */
          after: z.int().nullable(),
        }),
      )
      .max(feedsMax),
  }),
  response: z.object({
    feeds: z.array(
      z.object({
        /** It is the position of the newest event, or of the newest at the start of a feed without `after`; 0 before the first. */
        head: z.int(),
        /** True if events after the position were removed, or the position was never given. */
        isGap: z.boolean(),
        /** At most 100, oldest first. */
        events: z.array(
          z.object({
            position: z.int(),
            type: z.string(),
            resourceId: z.string(),
            /** The automation that a content comes from. */
            automationId: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
});

export const workspaceStandings = ['open', 'frozen', 'deleted'] as const;

/** The owners that keep data of workspaces. */
export const ownersOfData = ['content', 'scheduling', 'automation', 'analytics'] as const;
export type OwnerOfData = (typeof ownersOfData)[number];

/**
 * Reports the standing of a workspace. `frozen`: nothing of it fires or is sent. `deleted`: its rows are
 * deleted; the call is repeated until `isDone`. A revision below the last one changes nothing.
 */
function setStanding<S extends OwnerOfData>(service: S) {
  return internalRoute('POST /internal/workspace-standings', {
    service,
    callers: ['gateway'],
    body: z.object({ accountId: z.string(), standing: z.enum(workspaceStandings), revision: z.int() }),
    response: z.object({ isDone: z.boolean(), note: z.string().nullable() }),
  });
}

export const setStandingOf = {
  content: setStanding('content'),
  scheduling: setStanding('scheduling'),
  automation: setStanding('automation'),
  analytics: setStanding('analytics'),
};

/** A list of an owner that an export of a workspace contains, in the words of the public API. */
export type ExportedList = {
  /** The folder in the archive. */
  kind: string;
  service: OwnerOfData;
  /** `{of}` is the id of a record of the list around it. */
  path: string;
  /**
   * `whole`: one answer has everything, or one record or null. `log`: pages follow `after`, until one is empty.
   * Otherwise pages follow `cursor`.
   */
  paging?: 'whole' | 'log';
  /** Lists of each record. */
  inner?: readonly ExportedList[];
};

export const exportedLists: readonly ExportedList[] = [
  {
    kind: 'apps',
    service: 'content',
    path: '/v1/apps',
    inner: [
      { kind: 'pictures', service: 'content', path: '/v1/apps/{of}/pictures' },
      { kind: 'slides', service: 'content', path: '/v1/apps/{of}/pictures?kind=slide' },
    ],
  },
  {
    kind: 'content',
    service: 'content',
    path: '/v1/content',
    inner: [
      { kind: 'timelines', service: 'content', path: '/v1/content/{of}/timeline', paging: 'whole' },
      { kind: 'comments', service: 'content', path: '/v1/content/{of}/comments' },
      { kind: 'results', service: 'analytics', path: '/v1/content/{of}/results', paging: 'whole' },
    ],
  },
  { kind: 'text-model', service: 'content', path: '/v1/workspace/text-model', paging: 'whole' },
  { kind: 'credits', service: 'content', path: '/v1/credits/ledger' },
  { kind: 'accounts', service: 'scheduling', path: '/v1/accounts' },
  {
    kind: 'schedules',
    service: 'scheduling',
    path: '/v1/schedules',
    inner: [{ kind: 'timelines', service: 'scheduling', path: '/v1/schedules/{of}', paging: 'whole' }],
  },
  {
    kind: 'automations',
    service: 'automation',
    path: '/v1/automations',
    inner: [{ kind: 'firings', service: 'automation', path: '/v1/automations/{of}/firings' }],
  },
  {
    kind: 'webhooks',
    service: 'automation',
    path: '/v1/webhooks',
    inner: [{ kind: 'deliveries', service: 'automation', path: '/v1/webhooks/{of}/deliveries' }],
  },
  { kind: 'events', service: 'automation', path: '/v1/events', paging: 'log' },
  { kind: 'posts', service: 'analytics', path: '/v1/analytics/posts' },
  { kind: 'sources', service: 'analytics', path: '/v1/analytics/sources' },
  { kind: 'experiments', service: 'analytics', path: '/v1/analytics/experiments' },
];

/** One page of such a list, or one record; `nextCursor` is absent where there are no pages. @param path with its query */
export function exportedOf(service: OwnerOfData, path: string) {
  return internalRoute(`GET ${path}`, {
    service,
    callers: ['gateway'],
    response: z.object({
      data: z.preprocess(data => [data ?? []].flat(), z.array(z.record(z.string(), z.unknown()))),
      nextCursor: z.string().nullable().default(null),
    }),
  });
}
