import { randomUUID } from 'node:crypto';
import type { AnalyticsDeps } from '../deps.ts';
import { markNeedsReauth, postponeRefresh, saveToken, takeDueSource } from '../queries/sources.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
// Longer than the call; after it another process asks for a dead one's.
const takenForMs = 60_000;

/**
 * Refreshes one token that is due. One process asks at a time, under a lease on the source and without a connection
 * or lock; reading needs neither: the old token goes on to its own end.
 * @returns false: none is due.
 */
export async function refreshSource({ db, instagram, secretBox, log, now }: AnalyticsDeps): Promise<boolean> {
  const at = now();
  const after = (ms: number): Date => new Date(at.getTime() + ms);
  const holder = randomUUID();
  const source = await takeDueSource(db, holder, at, after(takenForMs));
  if (!source) return false;
  const { id } = source;
  const current = secretBox.tryOpen(source.tokenSealed, id);
  if (current === null) {
    // Postponed, so that the tokens due behind it are refreshed.
    await postponeRefresh(db, id, holder, after(hourMs));
    log.error({ sourceId: id }, 'no key opens the token of a source; it is tried again in an hour');
    return true;
  }
  const answer = await instagram.refreshToken(current);
  if (answer.kind === 'ok') {
    const { token, seconds } = answer.value;
    // Half of its life is left for further tries; before a day has passed the platform refuses.
    const refreshAt = after(Math.max(seconds * 500, dayMs + hourMs));
    await saveToken(db, id, holder, {
      tokenSealed: secretBox.seal(token, id),
      expiresAt: after(seconds * 1_000),
      refreshAt,
    });
  } else if (answer.kind === 'refused' && answer.problem === 'token') {
    await markNeedsReauth(db, source, at);
    log.warn(
      { sourceId: id, code: answer.code },
      'a token could not be refreshed: its owner must bring a new one',
    );
  } else {
    const isRefused = answer.kind === 'refused' && answer.problem === 'unsupported';
    await postponeRefresh(db, id, holder, after(isRefused ? dayMs : hourMs));
    log.warn({ sourceId: id, answer: answer.kind }, 'a token was not refreshed; it is tried again');
  }
  return true;
}
