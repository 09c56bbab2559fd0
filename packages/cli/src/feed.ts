/** Follows `GET /events`. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Hookline, HooklineError, type HooklineEvent } from '@hookline/sdk';
import { exitCodes, type Failure, toFailure, usage } from './failure.ts';
import { plain } from './output.ts';
import { parseWhen, systemZone } from './when.ts';

/** A product that is away once the first page was read is asked again after this time. */
const awayMs = 5_000;
/**
 * A quarter of the 120 requests that a key may make in a minute: `listen`, `tail` and
 * other commands share them.
 */
const pollMs = 2_000;
const pageRows = 100;

/** @returns the time from which events are wanted; null: only new ones. @throws Failure `usage` */
export function sinceOf(text: string | undefined, now: Date): Date | null {
  if (text === undefined || text === 'now') return null;
  if (text === 'beginning') return new Date(0);
  const back = /^(\d{1,4})\s?(s|m|h|d)$/.exec(text.trim());
  const lengths: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  if (back) return new Date(now.getTime() - Number(back[1]) * (lengths[back[2] ?? ''] ?? 0));
  // Events of an hour that comes twice are wanted from its first time on.
  if (/^\d{4}-/.test(text)) return parseWhen(text, new Date(0), systemZone()).at;
  throw usage(`"${text}" is not a time to start from: write 10m, 2h, 3d, an ISO 8601 time or beginning.`);
}

/** @throws Failure `usage` for a type that does not exist */
export function typesOf(text: string | undefined, known: readonly string[]): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const types = text.split(',').map(type => type.trim());
  const unknown = types.find(type => !known.includes(type));
  if (unknown !== undefined) throw usage(`There is no event "${unknown}"; there are ${known.join(', ')}.`);
  return new Set(types);
}

/**
 * Finds the end of the feed without reading what is before it, and without the clock of this machine.
 * @returns undefined for the oldest event
 */
async function cursorBefore(client: Hookline, since: Date | null): Promise<string | undefined> {
  if (since?.getTime() === 0) return undefined;
  const newest = client.events.list({ order: 'newest', limit: pageRows });
  let page = await newest.page();
  while (since !== null && page.data.some(({ timestamp }) => new Date(timestamp) >= since)) {
    if (!page.previousCursor) return undefined;
    page = await newest.page(page.previousCursor);
  }
  return page.nextCursor ?? undefined;
}

/**
 * Every event from `since` on, then new ones as they come, until `signal` aborts.
 * @param onReady called once, when only new events are left
 * @param onAway called when the product cannot answer after that; a restart of it or its database ends nothing
 * @throws HooklineError when the first page cannot be read, or the key is refused
 */
export async function follow(
  client: Hookline,
  since: Date | null,
  signal: AbortSignal,
  onEvent: (event: HooklineEvent) => Promise<void>,
  onReady: () => void,
  onAway: (failure: Failure) => void,
): Promise<void> {
  const feed = client.events.list({ limit: pageRows });
  let after = await cursorBefore(client, since);
  let isReady = false;
  while (!signal.aborted) {
    const page = await feed.page(after).catch((error: unknown) => {
      const failure = toFailure(error);
      const isPassing = failure.exitCode === exitCodes.unreachable || isFault(error);
      if (!isReady || !isPassing) throw error;
      if (!signal.aborted) onAway(failure);
      return null;
    });
    if (page === null) {
      await delay(awayMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    const { data, nextCursor } = page;
    after = nextCursor ?? after;
    for (const event of data) {
      if (signal.aborted) return;
      const isWanted = isReady || since === null || new Date(event.timestamp) >= since;
      if (isWanted) await onEvent(event);
    }
    if (data.length === pageRows) continue;
    if (!isReady) onReady();
    isReady = true;
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

function isFault(error: unknown): boolean {
  return error instanceof HooklineError && (error.status ?? 0) >= 500;
}

/** What an event is about, in a few words that are safe to print. */
export function subjectOf({ data }: HooklineEvent): string {
  const texts = data as { hook?: unknown; title?: unknown; result?: { hook?: unknown }; id?: unknown };
  const failure = (data as { failure?: { message?: unknown } | null }).failure;
  const words = failure?.message ?? texts.result?.hook ?? texts.title ?? '';
  return plain([String(texts.id ?? ''), typeof words === 'string' ? words : ''].filter(Boolean).join('  '));
}
