/** Compares the webhooks that were committed with those that arrived. */

import type { Verdicts } from '../../kit/checks/verdict.ts';
import type { Recorded } from '../../kit/run/history.ts';
import type { Arrival } from '../../kit/servers/receivers.ts';
import { invariants, type Run } from './invariants.ts';

export type DeliveryFigures = {
  /** Events times their subscribed endpoints. */
  deliveries: number;
  /** Accepted again, with the same id and bytes. */
  duplicates: number;
  /** Of those, with a fault in between that explains it: the first acceptance was never recorded. */
  duplicatesBehindFaults: number;
  /** Accepted after an attempt that was not. */
  recovered: number;
};

/** Share of all deliveries that may be accepted twice. */
const duplicateShareMax = 0.005;
const sentTypes = ['schedule.sent_to_drafts', 'schedule.published'];

export function checkDeliveries(run: Run, verdicts: Verdicts): DeliveryFigures {
  const find = verdicts.find.bind(null, invariants.webhooks);
  const arrivals = run.history.filter((line): line is Recorded<Arrival> => line.kind === 'arrived');
  const decks = new Set(run.history.flatMap(line => (line.kind === 'deck' ? [line.contentId] : [])));
  // Their events came while the endpoints were being created.
  const mine = arrivals.filter(({ resource }) => !decks.has(resource.split(':')[1] ?? ''));
  const { taken, refused, again } = sortArrivals(mine, verdicts);
  const duplicates = again.length;
  const faults = run.history.filter(line => line.kind === 'fault' && canRepeat(line.what, line.whom));
  const duplicatesBehindFaults = again.filter(([first, second]) =>
    faults.some(({ at }) => at >= first.at && at <= second.at),
  ).length;
  const expected = expectedOf(run, decks);
  let recovered = 0;
  for (const name of expected) {
    const isRecovered = refused.has(name);
    if (!taken.has(name)) find('lost', name);
    else find(isRecovered ? 'recovered' : 'ok', name);
    if (isRecovered && taken.has(name)) recovered += 1;
  }
  for (const name of taken.keys()) if (!expected.has(name)) find('unexpected', `${name} was never committed`);
  if (duplicates > expected.size * duplicateShareMax)
    find(
      'duplicated',
      `${duplicates} of ${expected.size} came again, more than ${duplicateShareMax * 100} %; ${duplicatesBehindFaults} with a fault between`,
    );
  return { deliveries: expected.size, duplicates, duplicatesBehindFaults, recovered };
}

/**
 * Identifies an arrival. An end of a schedule or a firing is one event, whatever its position among the others of the
 * schedule or the automation.
 */
function nameOf({ endpoint, resource, type, sequence }: Arrival): string {
  if (sentTypes.includes(type)) return `${endpoint} ${resource} sent`;
  if (type === 'automation.skipped') return `${endpoint} ${resource} skipped`;
  return type === 'schedule.failed'
    ? `${endpoint} ${resource} failed`
    : `${endpoint} ${resource} ${sequence}`;
}

/** Faults that keep the sender from recording that a webhook was accepted. */
function canRepeat(what: string, whom: string): boolean {
  const isOfSender = whom.startsWith('automation') && what !== 'ready';
  return isOfSender || what.startsWith('Postgres restarted');
}

function sortArrivals(arrivals: readonly Recorded<Arrival>[], verdicts: Verdicts) {
  const taken = new Map<string, Recorded<Arrival>>();
  const refused = new Set<string>();
  const again: [first: Recorded<Arrival>, second: Recorded<Arrival>][] = [];
  for (const one of arrivals) {
    const name = nameOf(one);
    const known = taken.get(name);
    if (!one.isTaken) refused.add(name);
    else if (!known) taken.set(name, one);
    else if (known.id === one.id && known.digest === one.digest) again.push([known, one]);
    else verdicts.find(invariants.webhooks, 'duplicated', `${name}: ${known.id} and ${one.id}, other bytes`);
  }
  return { taken, refused, again };
}

function expectedOf({ history, evidence }: Run, decks: ReadonlySet<string>): Set<string> {
  const accountIdOfApp = new Map(evidence.contents.map(row => [row.appId, row.accountId]));
  const endpointsOf = new Map<string, number[]>();
  for (const line of history)
    if (line.kind === 'customer') endpointsOf.set(accountIdOfApp.get(line.appId) ?? '', line.endpoints);
  const accountIdOf = new Map(
    [...evidence.contents, ...evidence.schedules].flatMap(({ id, firingId, accountId }) => [
      [id, accountId],
      [firingId ?? '', accountId],
    ]),
  );
  const expected = new Set<string>();
  const expect = (id: string, what: string): void => {
    for (const endpoint of endpointsOf.get(accountIdOf.get(id) ?? '') ?? [])
      expected.add(`${endpoint} ${what}`);
  };
  for (const { resource, sequence: last } of evidence.sequences) {
    const id = resource.split(':')[1] ?? '';
    if (decks.has(id)) continue;
    for (let sequence = 1; sequence <= last; sequence += 1) expect(id, `${resource} ${sequence}`);
  }
  for (const { id, reason } of evidence.firings)
    if (reason?.startsWith('nothing_new')) expect(id, `automation:${id} skipped`);
  for (const { id, status } of evidence.posting.schedules)
    if (status === 'sent' || status === 'failed') expect(id, `schedule:${id} ${status}`);
  return expected;
}
