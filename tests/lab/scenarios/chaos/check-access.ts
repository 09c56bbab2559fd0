/** Judges keys and limits from clients' requests and answers alone. */

import { checkRevocations } from '../../kit/checks/check-revocations.ts';
import { type Counted, checkWindows } from '../../kit/checks/check-windows.ts';
import type { Verdicts } from '../../kit/checks/verdict.ts';
import type { Recorded } from '../../kit/run/history.ts';
import { limits } from './ground.ts';
import type { ChaosLine } from './history.ts';
import { invariants, type Run } from './invariants.ts';

export type AccessFigures = {
  revoked: number;
  /** Requests with a key that were sent after the answer of its `DELETE`. */
  sentAfter: number;
  refusedByLimit: number;
  /** Requests whose windows are judged; the others met a gateway that counted alone. */
  judged: number;
  /** The most requests of a key that certainly passed within 60 s. */
  mostOfKey: number;
};

type Line<Kind extends ChaosLine['kind']> = Recorded<Extract<ChaosLine, { kind: Kind }>>;

export function checkAccess({ history }: Run, verdicts: Verdicts): AccessFigures {
  const find = verdicts.find.bind(null, invariants.access);
  const of = <Kind extends ChaosLine['kind']>(kind: Kind) =>
    history.filter((line): line is Line<Kind> => line.kind === kind);
  const asked = of('asked');
  const keys = checkRevocations(of('revoked'), asked);
  for (let at = 0; at < keys.acceptedAfter; at += 1)
    find('unexpected', 'a revoked key passed after the answer of its DELETE');
  for (let at = 0; at < keys.sentAfter - keys.acceptedAfter; at += 1) find('ok', 'a revoked key was refused');
  let mostOfKey = 0;
  let judged = 0;
  for (const part of partsOf(asked, of('alone'))) {
    const { over, most, windows } = checkWindows(part, limits);
    judged += part.length;
    mostOfKey = Math.max(mostOfKey, most.key);
    for (let at = 0; at < over; at += 1)
      find('unexpected', `over a limit: at most ${JSON.stringify(most)} in 60 s`);
    for (let at = 0; at < windows - over; at += 1) find('ok', 'a window');
  }
  return {
    revoked: keys.revoked,
    sentAfter: keys.sentAfter,
    refusedByLimit: asked.filter(({ status }) => status === 429).length,
    judged,
    mostOfKey,
  };
}

/**
 * Leaves out what passed while a gateway counted alone, which has its own share during that time (`prove --
 * limits`). When Redis has lost its windows they start again, so that before and after are judged separately.
 */
function partsOf(asked: readonly Counted[], alone: readonly Line<'alone'>[]): Counted[][] {
  const isJudged = ({ sentMs, doneMs }: Counted): boolean =>
    !alone.some(({ sinceMs, untilMs }) => doneMs >= sinceMs && sentMs <= untilMs);
  const cuts = alone.filter(line => line.hasRedisForgotten).map(({ untilMs }) => untilMs);
  const parts = Map.groupBy(
    asked.filter(isJudged),
    ({ sentMs }) => cuts.filter(atMs => atMs <= sentMs).length,
  );
  return [...parts.values()];
}
