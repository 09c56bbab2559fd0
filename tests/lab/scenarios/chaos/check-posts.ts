/** Posts: the posting proof judges requested ones; this file finds those that must not exist at all. */

import type { PlatformCall, PlatformLog } from '../../kit/checks/platform-log.ts';
import type { PostingDatabase } from '../../kit/checks/posting-database.ts';
import type { PostingLine } from '../../kit/checks/posting-history.ts';
import type { Verdicts } from '../../kit/checks/verdict.ts';
import { isUncertain } from './check-contents.ts';
import type { Decided } from './history.ts';
import { invariants, type Run } from './invariants.ts';

export type PostingRun = { lines: PostingLine[]; platform: PlatformLog; database: PostingDatabase };

/**
 * The run in the form of the posting proof. A firing's schedule is identified by itself: its title is the
 * deck's.
 */
export function postingRun({ history, evidence, platform }: Run): PostingRun {
  const rows = new Map(evidence.schedules.map(row => [row.id, row]));
  const scheduleOf = new Map(evidence.posting.attempts.map(one => [one.mediaDigest, one.scheduleId]));
  const titleOf = (call: PlatformCall): string => {
    const id = scheduleOf.get(call.mediaDigest);
    return id && rows.get(id)?.firingId ? titleOfFiring(id) : call.title;
  };
  const perhapsGone = new Set(
    history.flatMap(line =>
      line.kind === 'withdrawn' && (line.status < 300 || line.status >= 500) ? [line.title] : [],
    ),
  );
  const lines: PostingLine[] = [];
  for (const line of history) {
    if (line.kind === 'wanted') {
      const { title, account, scheduledFor } = line;
      lines.push({ kind: 'asked', title, account, scheduledFor });
    } else if (line.kind === 'scheduled' && !perhapsGone.has(line.title) && !rows.get(line.id)?.isHeld)
      lines.push({ kind: 'told', title: line.title, id: line.id });
  }
  for (const { id, firingId, isDue } of evidence.schedules) {
    if (firingId === null || !isDue) continue;
    const title = titleOfFiring(id);
    lines.push({ kind: 'asked', title, account: '', scheduledFor: '' }, { kind: 'told', title, id });
  }
  const calls = platform.calls.map(call => ({ ...call, title: titleOf(call) }));
  return { lines, platform: { ...platform, calls }, database: evidence.posting };
}

const titleOfFiring = (scheduleId: string): string => `firing of ${scheduleId}`;

/** @param platform with the titles of `postingRun` */
export function checkOutside({ history, evidence }: Run, platform: PlatformLog, verdicts: Verdicts): void {
  const find = verdicts.find.bind(null, invariants.posts);
  const posts = Map.groupBy(
    platform.calls.filter(call => call.arrivedAt !== null),
    call => call.title,
  );
  const ids = new Map(history.flatMap(line => (line.kind === 'scheduled' ? [[line.title, line.id]] : [])));
  const there = new Set(evidence.schedules.map(row => row.id));
  const decisions = Map.groupBy(
    history.filter((line): line is Decided & { at: number } => line.kind === 'decided'),
    line => line.contentId,
  );
  const decks = new Set(history.flatMap(line => (line.kind === 'deck' ? [line.contentId] : [])));
  for (const line of history) {
    if (line.kind === 'refused' && posts.has(line.title))
      find('unexpected', `${line.title} was refused (${line.code}) and is posted`);
    if (line.kind === 'withdrawn' && line.status === 200) {
      if (posts.has(line.title)) find('unexpected', `${line.title} was withdrawn and is posted`);
      else if (there.has(ids.get(line.title) ?? ''))
        find('unexpected', `${line.title} was withdrawn and is there`);
      else find('ok', line.title);
    }
    if (line.kind !== 'wanted') continue;
    for (const call of posts.get(line.title) ?? []) {
      const isApproved =
        decks.has(line.contentId) || mayBeApproved(call, decisions.get(line.contentId) ?? []);
      if (line.isWithoutScope) find('unexpected', `${line.title} is posted without the scope`);
      else if (!isApproved) find('unexpected', `${line.title} is posted and was not approved`);
      else find('ok', line.title);
    }
  }
  for (const { id, failureCode } of evidence.posting.schedules)
    if (failureCode === 'outcome_unknown') find('lost', `${id} is unresolved`);
}

/**
 * True when an approval can have been in force when the platform accepted the call: sent before, and not
 * certainly overruled.
 */
function mayBeApproved(call: PlatformCall, decisions: readonly Decided[]): boolean {
  const before = decisions.filter(({ sentMs }) => sentMs < call.acceptedAt);
  return before.some(
    one =>
      one.decision === 'approve' &&
      (one.status === 200 || isUncertain(one)) &&
      !before.some(
        other =>
          other.decision === 'reject' &&
          other.status === 200 &&
          other.sentMs > one.doneMs &&
          other.doneMs < call.acceptedAt,
      ),
  );
}
