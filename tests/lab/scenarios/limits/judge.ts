/** Reads the history, and the two findings that are not in it, and reports faults and figures. */

import { checkRevocations } from '../../kit/checks/check-revocations.ts';
import { checkWindows, type Limits, type WindowFindings } from '../../kit/checks/check-windows.ts';
import { tooFew } from '../../kit/checks/verdict.ts';
import type { Figures } from '../../kit/run/scenario.ts';
import type { ChargeFindings } from './charges.ts';
import { checkFailures, checkRetryAfter } from './check-answers.ts';
import { type Asked, isAsked, isRevoked, type Line } from './history.ts';
import type { KeyFormFindings } from './key-form.ts';
import { faultParts } from './outage.ts';

export type Least = { retrySamples: number; sentAfterRevocation: number; windowsFilledAgain: number };

export type Judgement = { complaints: string[]; figures: Figures };

const limits: Limits = { ip: 300, key: 120, content: 10 };
/** Requests that each of three gateways may let through while it counts alone. */
const shares: Limits = { ip: 100, key: 40, content: 3 };

export function judge(
  lines: readonly Line[],
  form: KeyFormFindings,
  charges: ChargeFindings,
  least: Least,
): Judgement {
  const parts = Map.groupBy(lines.filter(isAsked), ({ part }) => part);
  const asked = (...names: string[]): Asked[] => names.flatMap(name => parts.get(name) ?? []);
  const exact = checkWindows(asked('windows', 'retry'), limits);
  const share = checkWindows(asked('degraded'), shares);
  const returned = checkWindows(asked('returned'), limits);
  const retry = checkRetryAfter(lines);
  const keys = checkRevocations(lines.filter(isRevoked), lines.filter(isAsked));
  const failures = checkFailures(lines, faultParts);

  const complaints = [
    ...wrong('G-K1 look-ups', form.lookups),
    ...wrong('G-K1 strings taken for keys', form.hits),
    ...wrong('G-K3 accepted after the revocation', keys.acceptedAfter),
    ...inexact('G-K4', exact, limits),
    ...wrong('G-K5 untrue', retry.untrue),
    ...wrong('G-K5 malformed', retry.malformed),
    ...inexact('G-K7, while Redis was away', share, shares),
    ...inexact('G-K7, 5 s after its return', returned, limits),
    ...(failures.percent > 0.1 ? [`G-K7 failed: ${failures.failed} of ${failures.asked}`] : []),
    ...wrong('G-K9 rounds that did not end with one charge', charges.broken),
    ...wrong('G-K9 answers other than 201 and 402', charges.others),
    ...wrong('G-K9 balances below 0', charges.negative),
    ...tooFew(
      {
        'windows filled again': exact.refilled,
        'tries after Retry-After': retry.samples,
        'requests sent after a revocation': keys.sentAfter,
        'of them within 50 ms': keys.sentSoonAfter,
        'requests let through while DELETE ran': keys.acceptedDuring,
      },
      {
        'windows filled again': least.windowsFilledAgain,
        'tries after Retry-After': least.retrySamples,
        'requests sent after a revocation': least.sentAfterRevocation,
        'of them within 50 ms': 50,
        'requests let through while DELETE ran': 20,
      },
    ),
  ];
  const figures = {
    'mistyped keys': form.malformed,
    'look-ups for them': form.lookups,
    'random strings': form.scanned,
    'taken for keys': form.hits,
    'keys revoked': keys.revoked,
    'requests after it': keys.sentAfter,
    'of them accepted': keys.acceptedAfter,
    'answers judged': exact.admitted + exact.refused,
    edges: exact.refilled,
    over: exact.over,
    under: exact.under,
    'waits of Retry-After': retry.samples,
    untrue: retry.untrue,
    'requests without Redis': failures.asked,
    'of them failed': failures.failed,
    'over without Redis': share.over + returned.over,
    'under without Redis': share.under + returned.under,
    'rounds on a balance of 1': charges.rounds,
    'wrong rounds': charges.broken,
  };
  return { complaints, figures };
}

function wrong(what: string, count: number): string[] {
  return count === 0 ? [] : [`${what}: ${count}`];
}

/** Every kind of window must also have been filled: one that is never filled is never over its limit. */
function inexact(name: string, { over, under, most }: WindowFindings, size: Limits): string[] {
  const isFull = (['ip', 'key', 'content'] as const).every(kind => most[kind] >= size[kind]);
  return [
    ...wrong(`${name} over`, over),
    ...wrong(`${name} under`, under),
    ...(isFull ? [] : [`${name}: most in a minute ${JSON.stringify(most)}, never ${JSON.stringify(size)}`]),
  ];
}
