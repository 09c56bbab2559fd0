import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@hookline/shared/kernel/durations';
import type { AnalyticsDeps } from '../deps.ts';
import { markNeedsReauth, postponeRefresh, saveToken, takeDueSource } from './queries.ts';

// Longer than the call. After it another process takes over from a dead one.
const takenForMs = 60_000;

/**
 * Refreshes one token that is due. One process at a time, under a lease on the source and without a
 * connection or lock. Reading needs neither: the old token works until it expires.
 * @returns false if none is due.
 */
export async function refreshSource({ db, instagram, secretBox, log, now }: AnalyticsDeps): Promise<boolean> {
  const at = now();
  const after = (ms: number): Date => new Date(at.getTime() + ms);
  const holder = randomUUID();
  const source = await takeDueSource(db, holder, { now: at, until: after(takenForMs) });
  if (!source) return false;
  const { id } = source;
  const lease = { id, holder };
  const current = secretBox.tryOpen(source.tokenSealed, id);
  if (current === null) {
    // Postponed, so that the tokens due after it are refreshed.
    await postponeRefresh(db, lease, after(hourMs));
    log.error({ sourceId: id }, 'no key opens the token of a source; it is retried in an hour');
    return true;
  }
  const answer = await instagram.refreshToken(current);
  if (answer.kind === 'ok') {
    const { token, seconds } = answer.value;
    // Leaves half of its life for retries. The platform refuses a refresh before a day has passed.
    const refreshAt = after(Math.max(seconds * 500, dayMs + hourMs));
    await saveToken(db, lease, {
      tokenSealed: secretBox.seal(token, id),
      expiresAt: after(seconds * 1_000),
      refreshAt,
    });
  } else if (answer.kind === 'refused' && answer.problem === 'token') {
    await markNeedsReauth(db, source, at);
    log.warn(
      { sourceId: id, code: answer.code },
      'a token could not be refreshed: its owner must provide a new one',
    );
  } else {
    const isRefused = answer.kind === 'refused' && answer.problem === 'unsupported';
    await postponeRefresh(db, lease, after(isRefused ? dayMs : hourMs));
    log.warn({ sourceId: id, answer: answer.kind }, 'a token was not refreshed; it will be retried');
  }
  return true;
}
