/** Instagram Graph API: the account of a token, fields and insights of a media, token refresh. */
import {
  askPlatform,
  createPlatformAgent,
  type Fields,
  fieldsOf,
  type PlatformAnswer,
  parseFields,
  textOf,
} from '@hookline/shared/http';
import { type GraphProblem, problemOf } from './graph-problem.rules.ts';
import { readUsage, type Usage } from './instagram-usage.ts';
import { readCount } from './numbers.rules.ts';

export type GraphAnswer<T> = { usage: Usage } & (
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; problem: GraphProblem; code: number }
  | { kind: 'unavailable'; reason: string }
);

export type InstagramUser = { userId: string; username: string; isProfessional: boolean };
export type InstagramOptions = { apiUrl: string; version: string; timeoutMs: number };
export type InstagramClient = ReturnType<typeof createInstagramClient>;

export function createInstagramClient({ apiUrl, version, timeoutMs }: InstagramOptions) {
  const agent = createPlatformAgent();

  async function get<T>(
    path: string,
    query: Record<string, string>,
    headers: Record<string, string>,
    read: (body: Fields) => T | null,
    withinMs = timeoutMs,
  ): Promise<GraphAnswer<T>> {
    const url = `${apiUrl}${path}?${new URLSearchParams(query)}`;
    return readAnswer(await askPlatform(agent, { method: 'GET', url, headers, timeoutMs: withinMs }), read);
  }
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const left = (untilMs: number) => Math.max(1, Math.min(timeoutMs, untilMs - performance.now()));

  const listMedia = (
    token: string,
    query: Record<string, string>,
    untilMs: number,
  ): Promise<GraphAnswer<MediaPage>> =>
    get(
      `/${version}/me/media`,
      { fields: 'id,shortcode', ...query },
      as(token),
      readMediaPage,
      left(untilMs),
    );

  const readInsights = (
    token: string,
    mediaId: string,
    names: readonly string[],
    withinMs = timeoutMs,
  ): Promise<GraphAnswer<Fields>> =>
    get(
      `/${version}/${encodeURIComponent(mediaId)}/insights`,
      { metric: names.join(',') },
      as(token),
      readValues,
      withinMs,
    );

  return {
    close: () => agent.close().catch(() => agent.destroy()),

    readUser: (token: string): Promise<GraphAnswer<InstagramUser>> =>
      get(`/${version}/me`, { fields: 'user_id,username,account_type' }, as(token), readUser),

    /** Fields of a media by name. An unknown field fails the call; a hidden one is left out. */
    readFields: (token: string, mediaId: string, names: readonly string[]): Promise<GraphAnswer<Fields>> =>
      get(`/${version}/${encodeURIComponent(mediaId)}`, { fields: names.join(',') }, as(token), body => body),

    /** Values of metrics by name. A metric without a value yet is left out. */
    readInsights,

    /**
     * False if the token has no permission for insights, which is another one than that for media. The newest
     * post shows it: an account without posts, or one that cannot be asked in time, passes.
     * @param untilMs monotonic time
     */
    async mayReadInsights(token: string, untilMs: number): Promise<boolean> {
      const page = await listMedia(token, { limit: '1' }, untilMs);
      const [newest] = page.kind === 'ok' ? page.value.ids.values() : [];
      if (newest === undefined) return true;
      const answer = await readInsights(token, newest, ['views'], left(untilMs));
      return answer.kind !== 'refused' || answer.problem !== 'token';
    },

    /**
     * The id of one of the account's newest 500 media by the code of its address; null: it is none of them.
     * @param untilMs monotonic time
     */
    async findMedia(token: string, code: string, untilMs: number): Promise<GraphAnswer<string | null>> {
      let after: string | null = null;
      for (let page = 1; ; page += 1) {
        const query: Record<string, string> = { limit: '100', ...(after === null ? {} : { after }) };
        const answer = await listMedia(token, query, untilMs);
        if (answer.kind !== 'ok') return answer;
        const { ids, next }: MediaPage = answer.value;
        const id = ids.get(code) ?? null;
        if (id !== null || next === null || page === pagesMax) return { ...answer, value: id };
        after = next;
      }
    },

    // Documented with the token in the query only. Workers call it outside any request, so no span records
    // it.
    refreshToken: (token: string): Promise<GraphAnswer<{ token: string; seconds: number }>> =>
      get('/refresh_access_token', { grant_type: 'ig_refresh_token', access_token: token }, {}, body => {
        const seconds = readCount(body.expires_in);
        const fresh = textOf(body.access_token);
        return fresh && seconds ? { token: fresh, seconds } : null;
      }),
  };
}

const pagesMax = 5;
type MediaPage = { ids: Map<string, string>; next: string | null };

function readMediaPage({ data, paging }: Fields): MediaPage | null {
  if (!Array.isArray(data)) return null;
  const ids = data
    .map(fieldsOf)
    .map(({ shortcode, id }) => [textOf(shortcode) ?? '', textOf(id) ?? ''] as const);
  const { next, cursors } = fieldsOf(paging);
  return { ids: new Map(ids), next: textOf(next) === null ? null : textOf(fieldsOf(cursors).after) };
}

/** Decides by the error code in the body, never by the status. */
function readAnswer<T>(raw: PlatformAnswer, read: (body: Fields) => T | null): GraphAnswer<T> {
  if (raw.kind !== 'answered') return { kind: 'unavailable', reason: raw.reason, usage: readUsage({}) };
  const usage = readUsage(raw.headers);
  const body = parseFields(raw.text);
  const error = fieldsOf(body?.error);
  if (typeof error.code === 'number') {
    const subcode = typeof error.error_subcode === 'number' ? error.error_subcode : null;
    const message = textOf(error.message) ?? '';
    const problem = problemOf(error.code, subcode, error.is_transient === true, message);
    return { kind: 'refused', problem, code: error.code, usage };
  }
  const value = raw.status === 200 && body ? read(body) : null;
  if (value === null)
    return { kind: 'unavailable', reason: `status ${raw.status} without a readable answer`, usage };
  return { kind: 'ok', value, usage };
}

function readUser(body: Fields): InstagramUser | null {
  const userId = textOf(body.user_id) ?? textOf(body.id);
  const username = textOf(body.username);
  if (!userId || !username) return null;
  return { userId, username, isProfessional: textOf(body.account_type) !== 'PERSONAL' };
}

function readValues(body: Fields): Fields | null {
  if (!Array.isArray(body.data)) return null;
  const entries = body.data.map(fieldsOf).map(insight => {
    const first = Array.isArray(insight.values) ? fieldsOf(insight.values[0]) : fieldsOf(insight.total_value);
    return [textOf(insight.name) ?? '', first.value] as const;
  });
  return Object.fromEntries(entries);
}
