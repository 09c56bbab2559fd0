/** One way to call each POST of the API, and a way to count its effects. */
import { randomBytes } from 'node:crypto';
import { fileForm, tinyPng } from '@hookline/testing/tiny-png';
import type { Ground } from './ground.ts';

export type Asked = {
  path: string;
  body?: unknown;
  /** Number of times the effect exists: 0 before the request. */
  effects(): Promise<number>;
};

/** By the contract's id. */
export type Actions = Readonly<Record<string, () => Promise<Asked>>>;

const unique = (): string => randomBytes(6).toString('hex');
const givenListing = {
  name: 'Lattenrost',
  description: 'Plan a slatted bed frame from what your shop sells, with a cutting list and a drawing.',
};
const everyDay = [{ time: '09:00', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] }];

export async function createActions(ground: Ground): Promise<Actions> {
  const { call, sql, accountId } = ground;
  const made = async (path: string, body: unknown, as: 'key' | 'session' = 'key') => {
    const answer = await call('POST', path, { as, body, idempotencyKey: unique() });
    if (answer.status > 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.data;
  };
  const count = async (text: string, values: unknown[]): Promise<number> =>
    Number((await sql<{ n: string }>(`select count(*) as n from ${text}`, values))[0]?.n);
  /** Counts the account's new rows from now on. */
  const grown = async (table: string): Promise<() => Promise<number>> => {
    const rows = () => count(`${table} where account_id = $1`, [accountId]);
    const before = await rows();
    return async () => (await rows()) - before;
  };

  const app = await made('/apps', {
    name: 'Pebblo',
    appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011',
  });
  const deck = await made('/content', {
    appId: app.id,
    type: 'slideshow',
    brief: { templateId: 'quote-card', slideCount: 2 },
  });
  await made(`/content/${deck.id}/approve`, {});
  const plan = {
    appId: app.id,
    tiktokAccountId: ground.tiktokAccountId,
    format: 'slideshow',
    postingTimes: everyDay,
  };
  const automation = await made('/automations', plan);
  await sql(`create table public.replays (delivery_id text)`);
  await sql(`create function public.note_replay() returns trigger language plpgsql security definer as $$
    begin insert into public.replays values (coalesce(to_jsonb(new)->>'id', to_jsonb(new)->>'content_id'));
    return new; end $$`);
  await sql(`create trigger note_replay after update on automation.deliveries
    for each row execute function public.note_replay()`);

  await sql(`create trigger note_replay after update on analytics.decks
    for each row execute function public.note_replay()`);

  const newSchedule = async (scheduledFor?: string) => {
    // Only one schedule of a content to an account may be pending.
    await sql(
      `update scheduling.schedules set status = 'sent', due_at = null, held_since = null, sent_at = now(),
      outcome = 'draft' where account_id = $1 and status = 'pending'`,
      [accountId],
    );
    return {
      contentId: deck.id,
      tiktokAccountId: ground.tiktokAccountId,
      ...(scheduledFor ? { scheduledFor } : {}),
    };
  };
  const inTwoDays = () => new Date(Date.now() + 48 * 3_600_000).toISOString();
  const newWebhook = async () => {
    // An account has at most 100.
    await sql(`update automation.webhooks set deleted_at = now() where account_id = $1`, [accountId]);
    return await made('/webhooks', { url: ground.receiverUrl, events: ['content.approved'] });
  };
  const newFailedDelivery = async (id: string) => {
    const deliveryId = `delivery_${unique()}`;
    await sql(
      `insert into automation.deliveries (id, webhook_id, event_id, event_type, resource, sequence,
         status, created_at, updated_at)
      values ($1, $2, $3, 'content.approved', 'content:x', 1, 'failed', now(), now())`,
      [deliveryId, id, `event_${unique()}`],
    );
    return deliveryId;
  };
  const reviewed = (decision: 'approve' | 'reject') => async () => {
    const { id } = await made('/content', { appId: app.id, type: 'slideshow' });
    return {
      path: `/content/${id}/${decision}`,
      body: {},
      effects: () =>
        count(
          `content.outbox where topic = 'content.approvals' and key = $1
        and headers->>'ce_type' like '%content.' || $2`,
          [id, decision === 'approve' ? 'approved' : 'rejected'],
        ),
    };
  };

  return {
    createKey: async () => ({
      path: '/keys',
      body: { name: 'mine', scopes: ['apps:read'] },
      effects: await grown('gateway.api_keys'),
    }),
    createInvitation: async () => ({
      path: '/workspace/invitations',
      body: { email: `${unique()}@example.com`, role: 'viewer' },
      effects: await grown('gateway.invitations'),
    }),
    createExport: async () => {
      // A workspace has at most 5 in 24 h.
      await sql('delete from gateway.workspace_exports');
      return { path: '/workspace/exports', effects: await grown('gateway.workspace_exports') };
    },
    createApp: async () => {
      // By its name: an app whose answer was not awaited is written late.
      const name = unique();
      return {
        path: '/apps',
        body: { name, appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
        effects: () => count('content.apps where name = $1', [name]),
      };
    },
    refreshApp: async () => {
      const times = () => count('content.apps where id = $1 and updated_at > created_at', [id]);
      const { id } = await made('/apps', {
        name: unique(),
        appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011',
      });
      return { path: `/apps/${id}/refresh`, effects: times };
    },
    reviewApp: async () => {
      const { id } = await made('/apps', { listing: givenListing });
      const mark = { by: { kind: 'key', id: 'key_1', name: 'agent' }, at: '2026-11-21T09:00:00.000Z' };
      await sql('update content.apps set unreviewed = $2 where id = $1', [
        id,
        JSON.stringify([{ item: 'listing', authorId: 'user_1', ...mark }]),
      ]);
      return {
        path: `/apps/${id}/review`,
        body: { items: [{ item: 'listing' }] },
        effects: () => count(`content.apps where id = $1 and unreviewed = '[]'`, [id]),
      };
    },
    addPicture: async () => {
      // An app of its own: an upload whose answer was not awaited is written late.
      const { id } = await made('/apps', { listing: givenListing });
      return {
        path: `/apps/${id}/pictures`,
        body: fileForm(tinyPng()),
        effects: () => count('content.pictures where app_id = $1', [id]),
      };
    },
    createContent: async () => ({
      path: '/content',
      body: { appId: app.id, type: 'slideshow' },
      effects: await grown('content.contents'),
    }),
    createContentBatch: async () => ({
      path: '/content/batch',
      body: { items: [{ appId: app.id, type: 'slideshow' }] },
      effects: await grown('content.contents'),
    }),
    duplicateContent: async () => {
      // By its original: a copy whose answer was not awaited is written late.
      const { id } = await made('/content', { appId: app.id, type: 'slideshow' });
      const copies = "content.contents where freshness->>'nearestContentId' = $1";
      return { path: `/content/${id}/duplicate`, effects: () => count(copies, [id]) };
    },
    approveContent: reviewed('approve'),
    rejectContent: reviewed('reject'),
    requestChanges: async () => {
      const { id } = await made('/content', { appId: app.id, type: 'slideshow' });
      return {
        path: `/content/${id}/request-changes`,
        body: { reason: 'Shorter.' },
        effects: () =>
          count(`content.content_timeline where content_id = $1 and what = 'changes_requested'`, [id]),
      };
    },
    createReviewLink: async () => {
      // A content has at most 20.
      await sql('delete from gateway.review_links');
      return {
        path: `/content/${deck.id}/review-links`,
        body: { expiresInHours: 1 },
        effects: await grown('gateway.review_links'),
      };
    },
    createComment: async () => {
      const text = unique();
      return {
        path: `/content/${deck.id}/comments`,
        body: { text },
        effects: () => count('content.comments where content_id = $1 and text = $2', [deck.id, text]),
      };
    },
    addPhone: async () => ({
      path: '/accounts/phone',
      body: { name: `Phone ${unique()}` },
      effects: await grown('scheduling.platform_accounts'),
    }),
    connectTiktok: async () => ({
      path: '/accounts/tiktok/connect',
      body: {},
      effects: await grown('scheduling.connect_states'),
    }),
    finishTiktok: async () => {
      const { authorizeUrl, state } = await made('/accounts/tiktok/connect', {}, 'session');
      await ground.consent(authorizeUrl, `repeats.${unique()}`);
      return {
        path: '/accounts/tiktok/finish',
        body: { state },
        effects: await grown('scheduling.platform_accounts'),
      };
    },
    createSchedule: async () => ({
      path: '/schedules',
      body: await newSchedule(inTwoDays()),
      effects: await grown('scheduling.schedules'),
    }),
    postNow: async () => ({
      path: '/schedules',
      body: await newSchedule(),
      effects: await grown('scheduling.schedules'),
    }),
    retrySchedule: async () => {
      const { id } = await made('/schedules', await newSchedule(inTwoDays()));
      const failure = {
        code: 'tiktok_create_failed',
        category: 'platform_unavailable',
        message: 'away',
        platformMessage: null,
        retryable: true,
      };
      await sql(
        `update scheduling.schedules set status = 'failed', due_at = null, failure = $2 where id = $1`,
        [id, failure],
      );
      return {
        path: `/schedules/${id}/retry`,
        effects: () =>
          count(`scheduling.schedule_timeline where schedule_id = $1 and what = 'retried'`, [id]),
      };
    },
    markPosted: async () => {
      const phone = await made('/accounts/phone', { name: 'Phone' }, 'session');
      const later = { ...(await newSchedule(inTwoDays())), tiktokAccountId: phone.id, mode: 'phone' };
      const { id } = await made('/schedules', later);
      return {
        path: `/schedules/${id}/posted`,
        body: {},
        effects: () => count(`scheduling.schedule_timeline where schedule_id = $1 and what = 'sent'`, [id]),
      };
    },
    createAutomation: async () => ({
      path: '/automations',
      body: plan,
      effects: await grown('automation.automations'),
    }),
    runAutomation: async () => {
      const firings = () => count('automation.firings where automation_id = $1', [automation.id]);
      const before = await firings();
      return { path: `/automations/${automation.id}/run`, effects: async () => (await firings()) - before };
    },
    confirmAutomation: async () => {
      await sql(
        `update automation.automations set author_id = 'user_other', confirmed_by = null where id = $1`,
        [automation.id],
      );
      return {
        path: `/automations/${automation.id}/confirm`,
        body: {},
        effects: () =>
          count('automation.automations where id = $1 and confirmed_by is not null', [automation.id]),
      };
    },
    createWebhook: async () => {
      await newWebhook();
      return {
        path: '/webhooks',
        body: { url: ground.receiverUrl, events: ['content.rejected'] },
        effects: await grown('automation.webhooks'),
      };
    },
    rotateWebhook: async () => {
      const { id } = await newWebhook();
      return {
        path: `/webhooks/${id}/rotate`,
        effects: async () =>
          Number(
            (
              await sql<{ n: number }>(
                'select jsonb_array_length(secrets) as n from automation.webhooks where id = $1',
                [id],
              )
            )[0]?.n,
          ) - 1,
      };
    },
    testWebhook: async () => {
      const { id } = await newWebhook();
      ground.received.clear();
      // The receiver identifies an event by its id.
      return { path: `/webhooks/${id}/test`, effects: async () => ground.received.size };
    },
    replayDelivery: async () => {
      const { id } = await newWebhook();
      const deliveryId = await newFailedDelivery(id);
      return {
        path: `/webhooks/${id}/deliveries/${deliveryId}/replay`,
        effects: () => count('public.replays where delivery_id = $1', [deliveryId]),
      };
    },
    replayWebhook: async () => {
      const { id } = await newWebhook();
      const deliveryId = await newFailedDelivery(id);
      return {
        path: `/webhooks/${id}/replay`,
        body: { since: new Date(Date.now() - 3_600_000).toISOString() },
        effects: () => count('public.replays where delivery_id = $1', [deliveryId]),
      };
    },
    enterResults: async () => {
      const id = `content_${unique()}`;
      await sql('insert into analytics.decks (content_id, account_id, approved_at) values ($1, $2, now())', [
        id,
        accountId,
      ]);
      return {
        path: `/content/${id}/results`,
        body: { views: 1200 },
        effects: () => count('public.replays where delivery_id = $1', [id]),
      };
    },
    startExperiment: async () => {
      // By its original: a copy whose answer was not awaited is written late.
      const { id } = await made('/content', { appId: app.id, type: 'slideshow' });
      const copies = `content.contents where id <> $1 and experiment_id = (
        select experiment_id from content.contents where id = $1)`;
      return {
        path: `/content/${id}/experiment`,
        body: { hooks: ['Another hook'], readAfterHours: 48 },
        effects: () => count(copies, [id]),
      };
    },
    addDeckPost: async () => {
      const id = `content_${unique()}`;
      await sql('insert into analytics.decks (content_id, account_id, approved_at) values ($1, $2, now())', [
        id,
        accountId,
      ]);
      return {
        path: `/content/${id}/posts`,
        body: { url: `https://youtu.be/${unique()}` },
        effects: await grown('analytics.published_posts'),
      };
    },
    registerPost: async () => ({
      path: '/analytics/posts',
      body: { videoId: unique(), platform: 'youtube', platformPostId: unique() },
      effects: await grown('analytics.published_posts'),
    }),
    createSource: async () => ({
      path: '/analytics/sources',
      body: { platform: 'instagram', accessToken: `simulator-token-u${unique()}` },
      effects: await grown('analytics.metric_sources'),
    }),
  };
}
