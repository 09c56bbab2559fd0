/** The reads of the management screens. */
import type * as analytics from '@hookline/shared/contracts/analytics';
import type * as auth from '@hookline/shared/contracts/auth';
import type * as automations from '@hookline/shared/contracts/automations';
import type * as brief from '@hookline/shared/contracts/brief';
import type * as credits from '@hookline/shared/contracts/credits';
import type * as passkeys from '@hookline/shared/contracts/passkeys';
import type { TextModel } from '@hookline/shared/contracts/text-model';
import type { UsageRow } from '@hookline/shared/contracts/usage';
import type * as webhooks from '@hookline/shared/contracts/webhooks';
import type * as workspace from '@hookline/shared/contracts/workspace';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Query } from '../api.ts';
import { type ListQuery, listOf, one, orNull, read, readAll } from '../queries.ts';
import type { Account, App, Content, DataOf, DeckComparison, Experiment, Page } from '../types.ts';

export type Automation = automations.Automation;
export type { PostingTime } from '@hookline/shared/contracts/posting-times';
export type Firing = automations.Firing;
export type Webhook = webhooks.Webhook;
export type WebhookWithSecret = DataOf<typeof webhooks.createWebhook>;
export type Attempt = webhooks.DeliveryAttempt;
export type Delivery = webhooks.Delivery;
export type FeedEvent = webhooks.FeedEvent;
export type ApiKey = auth.ApiKey;
export type WorkOfKey = auth.WorkOfKey;
export type ApiKeyWithSecret = DataOf<typeof auth.createKey>;
export type Session = DataOf<typeof auth.listSessions>[number];
type OwnPasskeys = DataOf<typeof passkeys.listPasskeys>;
export type Passkey = OwnPasskeys['passkeys'][number];
export type Member = workspace.Member;
export type Invitation = workspace.Invitation;
export type Notifications = workspace.Notifications;
export type WorkspaceExport = DataOf<typeof workspace.getExport>;
export type InvitationWithUrl = DataOf<typeof workspace.createInvitation>;
export type AuditEvent = workspace.AuditEvent;
/** A deck that is deleted is left out. */
export type LedgerRow = credits.LedgerRow & { deck?: Content | undefined };
export type Template = DataOf<typeof brief.listTemplates>[number];
export type Summary = analytics.AnalyticsSummary;
/** Running totals at the end of a day. */
export type DayRow = Omit<analytics.SeriesDay, 'posts'>;
export type PostRow = analytics.MeasuredPost;
export type { UsageRow };

export const automationList = listOf<Automation>(['automations', 'list'], '/automations');
export const firingList = (id: string) =>
  listOf<Firing>(['automations', 'firings', id], `/automations/${id}/firings`);
export const slotsQuery = (id: string) =>
  read<{ fireAt: string; local: string }[]>(['automations', 'slots', id], `/automations/${id}/next`, {
    count: 5,
  });

export const appList = listOf<App>(['apps', 'list'], '/apps');
export const appQuery = (id: string) => read<App>(['apps', 'one', id], `/apps/${encodeURIComponent(id)}`);
export const templatesQuery = queryOptions({
  ...read<Template[]>(['templates'], '/templates'),
  // A deck of finished slides is chosen by uploading them.
  select: templates => templates.filter(({ id }) => id !== 'picture'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const accountList = listOf<Account>(['accounts', 'list'], '/accounts');

export const everyAutomation = readAll<Automation>(['automations', 'all'], '/automations');
export const everyWebhook = readAll<Webhook>(['webhooks', 'all'], '/webhooks');
export const everyKey = readAll<ApiKey>(['keys', 'all'], '/keys');
export const everyMember = readAll<Member>(['members', 'all'], '/workspace/members');

export const webhookList = listOf<Webhook>(['webhooks', 'list'], '/webhooks');
export const deliveryList = (id: string) =>
  listOf<Delivery>(['webhooks', 'deliveries', id], `/webhooks/${id}/deliveries`);

/** What a key made or changed and what still works. */
export const workOfKey = (id: string) => read<WorkOfKey>(['keys', 'work', id], `/keys/${id}/work`);

export const keyList = listOf<ApiKey>(['keys', 'list'], '/keys');

/** Rows come with their decks: one whose app is read later would change its group. */
export const ledgerList = infiniteQueryOptions({
  ...listOf<LedgerRow>(['credits', 'ledger'], '/credits/ledger'),
  queryFn: async ({ pageParam, signal }): Promise<Page<LedgerRow>> => {
    const query = { limit: 100, cursor: pageParam };
    const page = await api.get<Page<credits.LedgerRow>>('/credits/ledger', query, signal);
    const ids = page.data.flatMap(({ contentId }) => contentId ?? []).join();
    const decks =
      ids === '' ? [] : (await api.get<Page<Content>>('/content', { ids, limit: 100 }, signal)).data;
    return {
      ...page,
      data: page.data.map(row => ({ ...row, deck: decks.find(({ id }) => id === row.contentId) })),
    };
  },
});

export const usageQuery = queryOptions({
  ...read<Record<'windows' | 'ceilings', UsageRow[]>>(['usage'], '/usage'),
  refetchInterval: 10_000,
});

export const summaryQuery = (windowDays: number) =>
  read<Summary>(['numbers', 'summary', windowDays], '/analytics/summary', { windowDays });
export const seriesQuery = (from: string, to: string, platform?: string) =>
  read<DayRow[]>(['numbers', 'series', from, to, platform ?? null], '/analytics/series', {
    from,
    to,
    platform,
  });
export const decksQuery = (windowDays: number, timezone: string) =>
  read<DeckComparison[]>(['numbers', 'decks', windowDays, timezone], '/analytics/decks', {
    windowDays,
    timezone,
  });
export const experimentsQuery = read<Experiment[]>(['numbers', 'experiments'], '/analytics/experiments');
export const numbersList = (platform: string) =>
  listOf<PostRow>(['numbers', 'posts'], '/analytics/posts', { platform: platform || undefined });

export const memberList = listOf<Member>(['members', 'list'], '/workspace/members');
export const invitationList = listOf<Invitation>(['members', 'invitations'], '/workspace/invitations');
export const notificationsQuery = read<Notifications>(['notifications'], '/workspace/notifications');
export const textModelQuery = read<TextModel>(['text-model'], '/workspace/text-model');
/** Null once it has expired. */
export const exportQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['exports', id],
    queryFn: ({ signal }) => orNull(one<WorkspaceExport>(`/workspace/exports/${id}`, undefined, signal)),
    enabled: id !== null,
  });
export const passkeysQuery = read<OwnPasskeys>(['passkeys'], '/auth/passkeys');
export const sessionList = listOf<Session>(['sessions', 'list'], '/auth/sessions');

const logPage = 50;
/** Every poll reads all pages again that are on screen. */
const logPagesMax = 20;
/** The stream says nothing of sign-ins and other rows of the audit log. */
const pollAgainMs = 20_000;

type LogPage<T> = Page<T> & { previousCursor?: string | null };

/** A log, newest first. */
function logOf<T>(name: string, path: string, query: Query = {}) {
  return infiniteQueryOptions({
    queryKey: [name, 'log', query],
    queryFn: ({ pageParam, signal }) =>
      api.get<LogPage<T>>(path, { ...query, order: 'newest', before: pageParam, limit: logPage }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last, pages) => (pages.length < logPagesMax ? last.previousCursor : null),
    refetchInterval: pollAgainMs,
  });
}

/** True at the end of a log that has more rows than a page of the console reads. */
export const isCut = <T>({ data, hasNextPage }: ListQuery<T>): boolean =>
  !hasNextPage && Boolean((data?.pages.at(-1) as LogPage<T> | undefined)?.previousCursor);

export const eventLog = logOf<FeedEvent>('events', '/events');
export const auditLog = (query: { action?: string | undefined; actorId?: string | undefined }) =>
  logOf<AuditEvent>('audit', '/audit', query);
