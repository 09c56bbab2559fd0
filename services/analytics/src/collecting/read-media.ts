/** The numbers of one Instagram media, with fallbacks for a refused field or metric. */
import type { Fields } from '@hookline/shared/http';
import type { GraphAnswer, InstagramClient } from '../platforms/instagram.ts';
import { type Numbers, readCount, readTime } from '../platforms/numbers.rules.ts';

export type Reading = Numbers & { publishedAt: Date | null; hasInsights: boolean };

type Ask = (names: readonly string[]) => Promise<GraphAnswer<Fields>>;
type Failed = Exclude<GraphAnswer<Fields>, { kind: 'ok' }>;
type Values = { kind: 'ok'; values: Fields; refused: readonly string[] };

/** Called with every answer, to track the limits. */
type OnAnswer = (answer: GraphAnswer<unknown>) => Promise<void>;

/**
 * Likes and comments are fields of the media; if a field is missing, the insight of the same name is used.
 * Views are an insight; if that metric is refused, the field `total_views_count` is used. A number without a
 * source is null.
 * `hasInsights` is false if the platform reported earlier that this media never has any.
 */
export async function readMedia(
  client: InstagramClient,
  { token, mediaId, hasInsights }: { token: string; mediaId: string; hasInsights: boolean },
  onAnswer: OnAnswer,
): Promise<{ kind: 'ok'; reading: Reading } | Failed> {
  const askFields: Ask = names => reported(client.readFields(token, mediaId, names), onAnswer);
  const askInsights: Ask = names => reported(client.readInsights(token, mediaId, names), onAnswer);
  const fields = await askNames(askFields, ['timestamp', 'like_count', 'comments_count']);
  if (fields.kind !== 'ok') return fields;
  const likes = readCount(fields.values.like_count);
  const comments = readCount(fields.values.comments_count);
  const wanted = ['views', ...(likes === null ? ['likes'] : []), ...(comments === null ? ['comments'] : [])];
  const insights = await readInsights(askInsights, wanted, hasInsights);
  if (insights.kind !== 'ok') return insights;
  let views = readCount(insights.values.views);
  if (views === null && insights.refused.includes('views')) {
    const total = await askNames(askFields, ['total_views_count']);
    if (total.kind !== 'ok') return total;
    views = readCount(total.values.total_views_count);
  }
  const reading = {
    views,
    likes: likes ?? readCount(insights.values.likes),
    comments: comments ?? readCount(insights.values.comments),
    publishedAt: readTime(fields.values.timestamp),
    hasInsights: insights.hasInsights,
  };
  return { kind: 'ok', reading };
}

async function readInsights(
  ask: Ask,
  names: readonly string[],
  hasInsights: boolean,
): Promise<(Values & { hasInsights: boolean }) | Failed> {
  const none = { kind: 'ok', values: {}, refused: [] } as const;
  if (!hasInsights) return { ...none, hasInsights: false };
  const answer = await askNames(ask, names);
  if (answer.kind === 'ok') return { ...answer, hasInsights: true };
  const problem = answer.kind === 'refused' ? answer.problem : null;
  if (problem === 'before_conversion') return { ...none, hasInsights: false };
  return problem === 'no_viewers' ? { ...none, hasInsights: true } : answer;
}

/**
 * Asks for all names in one call. If one of them fails it, asks for each alone and leaves out the refused
 * ones.
 */
async function askNames(ask: Ask, names: readonly string[]): Promise<Values | Failed> {
  const all = await ask(names);
  if (all.kind === 'ok') return { kind: 'ok', values: all.value, refused: [] };
  if (all.kind !== 'refused' || all.problem !== 'unsupported') return all;
  if (names.length === 1) return { kind: 'ok', values: {}, refused: names };
  const values: Fields = {};
  const refused: string[] = [];
  for (const name of names) {
    const one = await askNames(ask, [name]);
    if (one.kind !== 'ok') return one;
    Object.assign(values, one.values);
    refused.push(...one.refused);
  }
  return { kind: 'ok', values, refused };
}

async function reported<T>(asked: Promise<GraphAnswer<T>>, onAnswer: OnAnswer): Promise<GraphAnswer<T>> {
  const answer = await asked;
  await onAnswer(answer);
  return answer;
}
