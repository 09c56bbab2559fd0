/** Judges take-overs and late workers from the audit and the platform's log. */
import type { AuditRow } from '../../kit/checks/audit.ts';
import type { PlatformCall } from '../../kit/checks/platform-log.ts';
import { openVerdicts, type Verdicts } from '../../kit/checks/verdict.ts';

/** Entries that only the lease holder may write. */
const sendersEntries = [
  'sending',
  'attempt_started',
  'attempt_closed',
  'unconfirmed',
  'accepted',
  'unreachable',
  'refused',
  'paced',
  'put_off',
  'held',
  'version_changed',
];
// A call that was sent in time may be accepted shortly after the next claim.
const wayMs = 50;

/** A replica was killed or suspended: the others had to take over its claims. */
export type Struck = { app: string; atMs: number };

export type LeaseFigures = {
  /** Claims that a struck replica held, and how long the others took to claim them. */
  takeOversMs: number[];
  /** Writes of a worker without the lease, all of them accepted by the database. */
  lateWrites: number;
  /** Calls that reached the platform after the next claim. */
  lateCalls: number;
};

export function checkLeases(
  audit: readonly AuditRow[],
  calls: readonly PlatformCall[],
  strikes: readonly Struck[],
): { verdicts: Verdicts; figures: LeaseFigures } {
  const verdicts = openVerdicts(['writes past the lease', 'calls past the lease', 'take-over']);
  const bySchedule = Map.groupBy(audit, row => row.scheduleId);
  for (const rows of bySchedule.values()) checkWriters(rows, verdicts);
  checkCalls(audit, calls, verdicts);
  const takeOversMs = strikes.flatMap(strike =>
    [...bySchedule.values()].flatMap(rows => takeOverOf(rows, strike, verdicts)),
  );
  return {
    verdicts,
    figures: {
      takeOversMs,
      lateWrites: verdicts.counts('writes past the lease').unexpected,
      lateCalls: verdicts.counts('calls past the lease').unexpected,
    },
  };
}

function checkWriters(rows: readonly AuditRow[], verdicts: Verdicts): void {
  let claim: AuditRow | null = null;
  for (const row of rows) {
    if (row.kind === 'claim') claim = row;
    const isSenders = row.kind === 'attempt' || sendersEntries.includes(row.what ?? '');
    if (row.kind === 'claim' || !isSenders) continue;
    const isInCharge = claim?.app === row.app && (row.kind !== 'attempt' || row.fence === claim.fence);
    const what = `${row.kind} ${row.what} of ${row.scheduleId} by ${row.app}, while ${claim?.app} is in charge`;
    verdicts.find('writes past the lease', isInCharge ? 'ok' : 'unexpected', what);
  }
}

function checkCalls(audit: readonly AuditRow[], calls: readonly PlatformCall[], verdicts: Verdicts): void {
  const attempts = new Map(audit.filter(row => row.kind === 'attempt').map(row => [row.what, row]));
  for (const call of calls) {
    const attempt = attempts.get(call.mediaDigest);
    const next = audit.find(
      row =>
        row.kind === 'claim' &&
        row.scheduleId === attempt?.scheduleId &&
        (row.fence ?? 0) > (attempt.fence ?? 0),
    );
    const isLate = !attempt || (next !== undefined && call.acceptedAt > next.atMs + wayMs);
    const what = `${call.publishId} of ${attempt?.scheduleId} came after the claim of ${next?.app}`;
    verdicts.find('calls past the lease', isLate ? 'unexpected' : 'ok', what);
  }
}

/** Time until the schedule's next claim, if the struck replica held it and had not released it. */
function takeOverOf(rows: readonly AuditRow[], strike: Struck, verdicts: Verdicts): number[] {
  const before = rows.filter(row => row.atMs <= strike.atMs);
  const claim = before.findLast(row => row.kind === 'claim');
  const last = before.at(-1);
  const isInHand =
    last !== undefined && (last === claim || ['sending', 'attempt_started'].includes(last.what ?? ''));
  const isOpenAttempt = last?.kind === 'attempt';
  if (claim?.app !== strike.app || !(isInHand || isOpenAttempt)) return [];
  const next = rows.find(row => row.seq > claim.seq && row.kind === 'claim');
  if (next) {
    verdicts.find('take-over', 'recovered', claim.scheduleId);
    return [next.atMs - strike.atMs];
  }
  // A webhook may settle it before it has to be claimed again.
  const isSettled = rows.some(row => row.seq > claim.seq && (row.what === 'sent' || row.what === 'failed'));
  verdicts.find('take-over', isSettled ? 'ok' : 'lost', `${claim.scheduleId} was never claimed again`);
  return [];
}
