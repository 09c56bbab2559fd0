/**
 * Judges a posting run from the history, the platform's own log and the database, without asking the product.
 */
import type { InitRequest, PlatformCall, PlatformLog } from './platform-log.ts';
import type { AttemptInDatabase, PostingDatabase, ScheduleInDatabase } from './posting-database.ts';
import type { PostingLine } from './posting-history.ts';
import { openVerdicts, type Verdicts } from './verdict.ts';

export type PostingFigures = {
  told: number;
  posts: number;
  /** Posts beyond the first of a schedule. */
  doubles: number;
  sent: number;
  /** Ended without a post, with a code. */
  failed: number;
  /** Ended as `outcome_unknown`: needs a person to check. */
  unknown: number;
  open: number;
  /** Calls whose answer never arrived, or reached a dead worker. */
  ambiguous: number;
  settled: number;
  /** Calls that the platform accepted after their links were closed: each got 404 and became nothing. */
  fencedAfterAccepted: number;
};

export type PostingVerdict = { verdicts: Verdicts; figures: PostingFigures };

const never = ['fenced', 'refused', 'unreachable'];
const terminal = ['sent', 'failed'];

export function checkPosting(
  history: readonly PostingLine[],
  platform: PlatformLog,
  database: PostingDatabase,
): PostingVerdict {
  const verdicts = openVerdicts(['posts per schedule', 'schedules', 'calls', 'pace']);
  const asked = new Set(history.flatMap(line => (line.kind === 'asked' ? [line.title] : [])));
  const told = new Map(history.flatMap(line => (line.kind === 'told' ? [[line.title, line.id]] : [])));
  const posts = Map.groupBy(
    platform.calls.filter(call => call.arrivedAt !== null),
    call => call.title,
  );
  const rows = new Map(database.schedules.map(row => [row.id, row]));
  const ambiguous = ambiguousAttempts(database);
  const troubled = new Set(ambiguous.map(attempt => attempt.scheduleId));
  for (const [title, arrived] of posts) {
    if (!asked.has(title)) verdicts.find('posts per schedule', 'unexpected', `${title} was never asked for`);
    for (const extra of arrived.slice(1))
      verdicts.find('posts per schedule', 'duplicated', `${title} is there again as ${extra.publishId}`);
  }
  for (const [title, id] of told) {
    const row = rows.get(id);
    const count = posts.get(title)?.length ?? 0;
    const what = `${title} (${id}) is ${row?.status} ${row?.failureCode ?? ''} with ${count} posts`;
    if (!row) verdicts.find('schedules', 'lost', `${title} (${id}) was told and is not there`);
    else if (!terminal.includes(row.status)) verdicts.find('schedules', 'lost', what);
    else if (row.status === 'sent' && count === 0) verdicts.find('schedules', 'lost', what);
    else if (saysNoPost(row) && count > 0) verdicts.find('schedules', 'unexpected', what);
    else verdicts.find('schedules', troubled.has(id) ? 'recovered' : 'ok', what);
    if (count <= 1) verdicts.find('posts per schedule', troubled.has(id) ? 'recovered' : 'ok', title);
  }
  checkCalls(verdicts, platform.calls, database.attempts);
  checkPace(verdicts, platform.inits);
  return { verdicts, figures: figuresOf(told.size, posts, database, ambiguous, platform.calls) };
}

/** A failure that a person may answer with a new attempt: there must be no post behind it. */
function saysNoPost({ status, failureCode }: ScheduleInDatabase): boolean {
  return status === 'failed' && failureCode !== 'outcome_unknown';
}

/** Each call belongs to an attempt recorded before it, and none that was given up became a post. */
function checkCalls(
  verdicts: Verdicts,
  calls: readonly PlatformCall[],
  attempts: readonly AttemptInDatabase[],
): void {
  const byDigest = new Map(attempts.map(attempt => [attempt.mediaDigest, attempt]));
  for (const call of calls) {
    const attempt = byDigest.get(call.mediaDigest);
    const what = `${call.title} as ${call.publishId}`;
    if (!attempt) verdicts.find('calls', 'unexpected', `${what} has no attempt that was written before`);
    else if (never.includes(attempt.state) && call.arrivedAt !== null)
      verdicts.find('calls', 'unexpected', `${what} became a post, its attempt is ${attempt.state}`);
    else verdicts.find('calls', never.includes(attempt.state) ? 'recovered' : 'ok', what);
  }
}

/** A rate-limit refusal that no fault caused is one that the product should have waited for. */
function checkPace(verdicts: Verdicts, inits: readonly InitRequest[]): void {
  for (const init of inits) {
    const isOurs = init.code === 'rate_limit_exceeded' && init.fault === null;
    verdicts.find('pace', isOurs ? 'unexpected' : 'ok', `${init.account} was called too often`);
  }
}

/** `fenced`: no answer and no pull. The others went through `unconfirmed` or were found by a webhook. */
function ambiguousAttempts({ attempts, timeline }: PostingDatabase): AttemptInDatabase[] {
  const pulled = new Set(
    timeline.filter(row => row.what === 'unconfirmed' || row.what === 'found').map(row => row.scheduleId),
  );
  const lastOf = new Map(attempts.map(attempt => [attempt.scheduleId, attempt.id]));
  return attempts.filter(
    attempt =>
      attempt.state === 'fenced' ||
      (pulled.has(attempt.scheduleId) && lastOf.get(attempt.scheduleId) === attempt.id),
  );
}

function figuresOf(
  told: number,
  posts: ReadonlyMap<string, PlatformCall[]>,
  { schedules }: PostingDatabase,
  ambiguous: readonly AttemptInDatabase[],
  calls: readonly PlatformCall[],
): PostingFigures {
  const counts = [...posts.values()].map(arrived => arrived.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const fenced = new Set(ambiguous.filter(one => one.state === 'fenced').map(one => one.mediaDigest));
  const isOpen = ({ state }: AttemptInDatabase): boolean =>
    ['calling', 'unconfirmed', 'accepted', 'unknown'].includes(state);
  return {
    told,
    posts: total,
    doubles: total - counts.length,
    sent: schedules.filter(row => row.status === 'sent').length,
    failed: schedules.filter(saysNoPost).length,
    unknown: schedules.filter(row => row.failureCode === 'outcome_unknown').length,
    open: schedules.filter(row => !terminal.includes(row.status)).length,
    ambiguous: ambiguous.length,
    settled: ambiguous.filter(attempt => !isOpen(attempt)).length,
    fencedAfterAccepted: calls.filter(call => fenced.has(call.mediaDigest)).length,
  };
}
