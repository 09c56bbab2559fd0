/**
 * Every read of the console, one factory a resource. The first part of a key is what `live.ts` invalidates.
 */
import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  queryOptions,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { ApiError, api, type Query } from './api.ts';
import { waitBeforeMs } from './live.ts';
import type {
  Account,
  App,
  Content,
  ContentMoment,
  Counts,
  Credits,
  NextFiring,
  One,
  Page,
  Picture,
  ReviewLink,
  Schedule,
  Session,
  SignInOptions,
  Workspace,
  WorkspaceOfPerson,
} from './types.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The client repeats what is worth repeating.
      retry: false,
      refetchOnWindowFocus: true,
    },
  },
});

export async function one<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await api.get<One<T>>(path, query, signal)).data;
}

/** Reads a record, or the rows of one page of a list. */
export function read<T>(queryKey: readonly unknown[], path: string, query?: Query) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => one<T>(path, query, signal) });
}

/** The most that is read of a list at once. */
export const allMax = 1_000;

/** Reads every row of a list by cursor, up to `allMax`. */
export function readAll<T>(queryKey: readonly unknown[], path: string, query: Query = {}) {
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const found: T[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<T> = await api.get(path, { ...query, limit: 100, cursor }, signal);
        found.push(...page.data);
        cursor = page.nextCursor;
      } while (cursor !== null && found.length < allMax);
      return found;
    },
  });
}

/** A list by cursor. Show it in a `List` or `Pages`. */
export function listOf<T>(key: readonly unknown[], path: string, query: Query = {}, limit = 25) {
  return infiniteQueryOptions({
    queryKey: [...key, query],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<T>>(path, { limit, ...query, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: last => last.nextCursor,
  });
}

export type ListQuery<T> = UseInfiniteQueryResult<InfiniteData<Page<T>>>;

/**
 * Fetches the next page of a list. A live change refetches the list, and a refetch and a next page cancel each other:
 * the next page waits for the refetch.
 */
export async function readMore<T>(query: ListQuery<T>): Promise<void> {
  const wanted = (query.data?.pages.length ?? 0) + 1;
  for (let tries = 0; tries < 5; tries += 1) {
    const { data, isError, hasNextPage } = await query.fetchNextPage({ cancelRefetch: false });
    if (isError || !hasNextPage || (data?.pages.length ?? 0) >= wanted) return;
  }
}

/** The rows of every page read so far. */
export function rowsOf<T>(query: ListQuery<T>): T[] {
  return query.data?.pages.flatMap(page => page.data) ?? [];
}

export const reviewLinksOf = (contentId: string) =>
  listOf<ReviewLink>(['content', contentId, 'review-links'], `/content/${contentId}/review-links`);

/** Null for what is not there. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** What the gateway offers before the sign-in. */
export const signInOptionsQuery = queryOptions({
  ...read<SignInOptions>(['sign-in-options'], '/sign-in-options'),
  staleTime: 5 * 60_000,
});

export const sessionQuery = queryOptions({
  ...read<Session>(['session'], '/auth/session'),
  staleTime: 5 * 60_000,
});

/** Person and workspace, the owner of what this browser keeps; null until the session is known. */
export function ownerNow(): string | null {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return session ? `${session.user.id} ${session.workspaceId}` : null;
}

export const workspacesQuery = queryOptions({
  ...read<WorkspaceOfPerson[]>(['workspaces'], '/auth/workspaces'),
  staleTime: 60_000,
});

export const workspaceQuery = queryOptions({
  ...read<Workspace>(['workspace'], '/workspace'),
  staleTime: 60_000,
});

/** Where each page of the queue begins that was read, by where the next one does; '' is the first. */
const queuePageBefore = new Map<string, string>();
const queueLimit = (cursor: string) => (cursor === '' ? 10 : 20);

/**
 * What waits for approval, newest first. At most three pages are kept, around the deck on screen: every
 * change reads them again, and a session has 600 requests a minute.
 */
export const queueQuery = infiniteQueryOptions({
  queryKey: ['content', 'queue'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const query = { limit: queueLimit(cursor), approvalStatus: 'pending', status: 'ready' };
    const page = await api.get<Page<Content>>('/content', { ...query, cursor: cursor || null }, signal);
    if (page.nextCursor !== null) queuePageBefore.set(page.nextCursor, cursor);
    return page;
  },
  initialPageParam: '',
  getNextPageParam: last => last.nextCursor,
  getPreviousPageParam: (_first, _pages, cursor) => queuePageBefore.get(cursor),
  maxPages: 3,
  // Read again, while the page is visible, until the server answers or says that it never will.
  retry: (_, error) => {
    const { status } = error as ApiError;
    return status < 1 || status === 429 || status >= 500;
  },
  retryDelay: (failures, error) => (error as ApiError).retryAfterMs ?? waitBeforeMs(failures),
});

/** @returns number of decks of the pages before those that are kept */
export function decksBefore(queue: InfiniteData<unknown> | undefined): number {
  let count = 0;
  let at = queuePageBefore.get(queue?.pageParams[0] as string);
  while (at !== undefined) {
    count += queueLimit(at);
    at = queuePageBefore.get(at);
  }
  return count;
}

export const countsQuery = read<Counts>(['content', 'counts'], '/content/counts');

export const contentList = (filter: Query) => listOf<Content>(['content', 'list'], '/content', filter);

export const contentQuery = (id: string) =>
  read<Content>(['content', 'one', id], `/content/${encodeURIComponent(id)}`);

/** The two newest approved decks. */
export const newestApprovedQuery = read<Content[]>(['content', 'approved'], '/content', {
  approvalStatus: 'approved',
  limit: 2,
});

export const timelineQuery = (id: string) =>
  read<ContentMoment[]>(['content', 'timeline', id], `/content/${encodeURIComponent(id)}/timeline`);

/** Decks by their ids, at most 100; those that are gone are left out. */
export const contentsQuery = (ids: readonly string[], filter: Query = {}) => ({
  ...read<Content[]>(['content', 'by-ids', filter, ...ids], '/content', {
    ...filter,
    ids: ids.join(),
    limit: 100,
  }),
  enabled: ids.length > 0,
});

/** Takes a deck off the queue that is in memory, before the queue is read again. */
export function dropFromQueue(id: string): void {
  queryClient.setQueryData(queueQuery.queryKey, found => {
    if (found === undefined) return found;
    const pages = found.pages.map(page => ({
      ...page,
      data: page.data.filter(content => content.id !== id),
    }));
    return { ...found, pages };
  });
}

/** Puts a deck that was just written where it is shown, so that its writer is not told that it changed. */
export function replaceContent(now: Content): void {
  queryClient.setQueryData(contentQuery(now.id).queryKey, now);
  queryClient.setQueryData(queueQuery.queryKey, found => {
    if (found === undefined) return found;
    const pages = found.pages.map(page => ({
      ...page,
      data: page.data.map(content => (content.id === now.id ? now : content)),
    }));
    return { ...found, pages };
  });
}

/** Everything between two times; a month of a busy workspace is several pages. */
export const schedulesBetween = (from: string, to: string, tiktokAccountId?: string) =>
  readAll<Schedule>(['schedules', 'between', from, to, tiktokAccountId ?? null], '/schedules', {
    from,
    to,
    tiktokAccountId,
  });

export const accountsQuery = read<Account[]>(['accounts', 'all'], '/accounts', { limit: 100 });

/** What is approved and has no time yet. */
export const withoutTime = { approvalStatus: 'approved', scheduled: 'false' };
/** A deck without slides cannot be posted; its own page says so. */
export const toScheduleQuery = infiniteQueryOptions({
  ...listOf<Content>(['content', 'to-schedule'], '/content', withoutTime),
  select: ({ pages, pageParams }) => ({
    pages: pages.map(page => ({ ...page, data: page.data.filter(({ images }) => images.length > 0) })),
    pageParams,
  }),
});

export const appsQuery = queryOptions({
  queryKey: ['apps', 'all'],
  // Without the signal: whoever skips decks would end and repeat it with each.
  queryFn: async () => (await api.get<Page<App>>('/apps', { limit: 100 })).data,
});

export const creditsQuery = read<Credits>(['credits', 'balance'], '/credits');

/** False where credits are unlimited: then no price is shown. */
export function useIsMetered(): boolean {
  return useQuery(creditsQuery).data?.unlimited !== true;
}

/** The most that the API answers. */
export const nextFiringsMax = 100;
export const nextFiringsQuery = read<NextFiring[]>(['automations', 'next'], '/automations/next', {
  limit: nextFiringsMax,
});

export const dueQuery = read<Schedule[]>(['schedules', 'due'], '/schedules', { status: 'due', limit: 100 });

/** The newest 100, to say in a list of decks what became of each. */
export const recentSchedulesQuery = queryOptions({
  queryKey: ['schedules', 'recent'],
  queryFn: ({ signal }) => api.get<Page<Schedule>>('/schedules', { limit: 100 }, signal),
});

export const picturesQuery = (appId: string, kind?: Picture['kind']) =>
  read<Picture[]>(['apps', 'pictures', appId, kind], `/apps/${appId}/pictures`, { kind, limit: 100 });
