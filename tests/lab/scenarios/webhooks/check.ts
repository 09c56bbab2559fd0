/**
 * The offline checker: reads the history and the owner's own count of events, nothing that automation reports
 * about itself.
 */

import { openVerdicts, type Verdicts } from '../../kit/checks/verdict.ts';
import type { Recorded } from '../../kit/run/history.ts';
import type { Arrival } from '../../kit/servers/receivers.ts';
import type { Phase, WebhookLine } from './history.ts';

/** `content.event_sequences`: the last sequence committed per resource. */
export type Committed = { resource: string; sequence: number };

export type WebhookFigures = {
  events: number;
  deliveries: number;
  arrivals: number;
  /** Accepted again after having been accepted, in each part of the run. */
  duplicatesCalm: number;
  duplicatesFaults: number;
  inversions: number;
  resources: number;
  rotated: number;
};

/** Duplicates that faults may cause, as a share of all deliveries (G-W2). */
const duplicateShareMax = 0.005;

export const invariants = {
  arrive: 'every committed event at every endpoint of its account (G-W1)',
  told: 'every acknowledged decision is a committed event',
  once: 'calm: delivered once (G-W2)',
  same: 'a duplicate has the same id and the same bytes (G-W2)',
  order: 'calm: first deliveries in the order of sequence (G-W3)',
  genuine: 'both signatures, judged by the reference library (G-W8)',
} as const;

export function checkWebhooks(
  history: readonly Recorded<WebhookLine>[],
  committed: readonly Committed[],
): { verdicts: Verdicts; figures: WebhookFigures; isWithinDuplicates: boolean } {
  const verdicts = openVerdicts(Object.values(invariants));
  const arrivals = withPhases(history);
  const figures: WebhookFigures = {
    ...{ events: 0, deliveries: 0, arrivals: arrivals.length, duplicatesCalm: 0, duplicatesFaults: 0 },
    ...{ inversions: 0, resources: 0, rotated: arrivals.filter(({ isOfRotation }) => isOfRotation).length },
  };
  checkArrivals(history, committed, arrivals, verdicts, figures);
  checkDecisions(history, committed, verdicts);
  checkDuplicates(arrivals, verdicts, figures);
  checkOrder(arrivals, verdicts, figures);
  for (const { isGenuine, id, endpoint } of arrivals) {
    const verdict = isGenuine ? 'ok' : 'unexpected';
    verdicts.find(invariants.genuine, verdict, `${id} at ${endpoint} is not signed right`);
  }
  const isWithinDuplicates = figures.duplicatesFaults <= figures.deliveries * duplicateShareMax;
  return { verdicts, figures, isWithinDuplicates };
}

type Phased = Arrival & { phase: Phase };

function withPhases(history: readonly Recorded<WebhookLine>[]): Phased[] {
  let phase: Phase = 'calm';
  const arrivals: Phased[] = [];
  for (const line of history) {
    if (line.kind === 'phase') phase = line.phase;
    if (line.kind === 'arrived') arrivals.push({ ...line, phase });
  }
  return arrivals;
}

function accountsOf(history: readonly Recorded<WebhookLine>[]) {
  const accountOfContent = new Map<string, number>();
  const endpointsOfAccount = new Map<number, number[]>();
  for (const line of history) {
    if (line.kind === 'content') accountOfContent.set(line.contentId, line.account);
    if (line.kind !== 'endpoint') continue;
    endpointsOfAccount.set(line.account, [...(endpointsOfAccount.get(line.account) ?? []), line.endpoint]);
  }
  return (resource: string): number[] =>
    endpointsOfAccount.get(accountOfContent.get(resource.split(':')[1] ?? '') ?? -1) ?? [];
}

function checkArrivals(
  history: readonly Recorded<WebhookLine>[],
  committed: readonly Committed[],
  arrivals: readonly Phased[],
  verdicts: Verdicts,
  figures: WebhookFigures,
): void {
  const endpointsOf = accountsOf(history);
  const taken = new Set(
    arrivals.filter(({ isTaken }) => isTaken).map(one => `${one.endpoint} ${one.resource} ${one.sequence}`),
  );
  const failedFirst = new Set(
    arrivals.filter(({ isTaken }) => !isTaken).map(one => `${one.endpoint} ${one.resource} ${one.sequence}`),
  );
  const expected = new Set<string>();
  for (const { resource, sequence: last } of committed) {
    const endpoints = endpointsOf(resource);
    if (endpoints.length === 0) continue;
    figures.resources += 1;
    figures.events += last;
    for (let sequence = 1; sequence <= last; sequence += 1) {
      for (const endpoint of endpoints) {
        const name = `${endpoint} ${resource} ${sequence}`;
        expected.add(name);
        figures.deliveries += 1;
        if (!taken.has(name))
          verdicts.find(invariants.arrive, 'lost', `${resource} ${sequence} at ${endpoint}`);
        else verdicts.find(invariants.arrive, failedFirst.has(name) ? 'recovered' : 'ok', '');
      }
    }
  }
  for (const name of taken) {
    if (!expected.has(name))
      verdicts.find(invariants.arrive, 'unexpected', `${name} was never committed for it`);
  }
}

function checkDecisions(
  history: readonly Recorded<WebhookLine>[],
  committed: readonly Committed[],
  verdicts: Verdicts,
): void {
  const counts = new Map<string, number>();
  for (const line of history) {
    if (line.kind === 'decision') counts.set(line.contentId, (counts.get(line.contentId) ?? 0) + 1);
  }
  const last = new Map(committed.map(({ resource, sequence }) => [resource, sequence]));
  for (const [contentId, count] of counts) {
    const events = last.get(`content:${contentId}`) ?? 0;
    // Decisions alternate, so each acknowledged one changed something and is one event.
    if (events < count)
      verdicts.find(invariants.told, 'lost', `${contentId}: ${count} told, ${events} events`);
    else if (events > count)
      verdicts.find(invariants.told, 'unexpected', `${contentId}: ${events} events, ${count} told`);
    else verdicts.find(invariants.told, 'ok', '');
  }
}

function checkDuplicates(arrivals: readonly Phased[], verdicts: Verdicts, figures: WebhookFigures): void {
  const first = new Map<string, Phased>();
  for (const one of arrivals) {
    const name = `${one.endpoint} ${one.resource} ${one.sequence}`;
    const known = first.get(name);
    if (!known) {
      first.set(name, one);
      if (one.phase === 'calm') verdicts.find(invariants.once, 'ok', '');
      continue;
    }
    if (known.id !== one.id || known.digest !== one.digest) {
      verdicts.find(invariants.same, 'unexpected', `${name}: ${known.id} and ${one.id}, other bytes`);
    } else verdicts.find(invariants.same, 'ok', '');
    if (!known.isTaken) {
      first.set(name, one);
      continue;
    }
    if (one.phase === 'calm') {
      figures.duplicatesCalm += 1;
      verdicts.find(invariants.once, 'duplicated', name);
    } else figures.duplicatesFaults += 1;
  }
}

function checkOrder(arrivals: readonly Phased[], verdicts: Verdicts, figures: WebhookFigures): void {
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  for (const { phase, endpoint, resource, sequence } of arrivals) {
    if (phase !== 'calm') return;
    const name = `${endpoint} ${resource}`;
    if (seen.has(`${name} ${sequence}`)) continue;
    seen.add(`${name} ${sequence}`);
    if (sequence < (newest.get(name) ?? 0)) {
      figures.inversions += 1;
      verdicts.find(invariants.order, 'unexpected', `${name}: ${sequence} after ${newest.get(name)}`);
    } else verdicts.find(invariants.order, 'ok', '');
    newest.set(name, Math.max(sequence, newest.get(name) ?? 0));
  }
}
