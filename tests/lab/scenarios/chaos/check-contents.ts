/** No acknowledged content is lost, none exists without an answer, and each is charged once. */
import type { Verdicts } from '../../kit/checks/verdict.ts';
import type { Created, Decided } from './history.ts';
import { invariants, type Run } from './invariants.ts';

// A decision without an answer may still be in flight for this long.
const onItsWayMs = 30_000;
const standing = { approve: 'approved', reject: 'rejected' } as const;

export function checkContents({ history, evidence }: Run, verdicts: Verdicts): void {
  const find = verdicts.find.bind(null, invariants.contents);
  const created = Map.groupBy(
    history.filter((line): line is Created & { at: number } => line.kind === 'created'),
    ({ account, key }) => `${account} ${key}`,
  );
  const there = new Map(evidence.contents.map(row => [row.id, row]));
  const known = new Set(history.flatMap(line => (line.kind === 'deck' ? [line.contentId] : [])));
  for (const [name, lines] of created) {
    const contentId = lines[0]?.contentId ?? '';
    known.add(contentId);
    if (!there.has(contentId)) find('lost', `${contentId} of ${name} is not there`);
    else if (lines.some(line => line.contentId !== contentId)) find('duplicated', `${name} made several`);
    else if (new Set(lines.map(line => line.digest)).size > 1) find('unexpected', `${name}: another body`);
    else if (!lines.some(line => line.isAfterwards)) find('lost', `${name} was not answered 201 again`);
    else find('ok', name);
  }
  for (const { id, firingId } of there.values())
    if (firingId === null && !known.has(id)) find('unexpected', `nobody was told of ${id}`);
  const decided = Map.groupBy(
    history.filter((line): line is Decided & { at: number } => line.kind === 'decided'),
    line => line.contentId,
  );
  for (const [contentId, decisions] of decided) {
    const last = decisions.filter(({ status }) => status === 200).at(-1);
    if (!last || decisions.some(other => isUncertain(other) && other.sentMs > last.sentMs - onItsWayMs))
      continue;
    const stands = there.get(contentId)?.approvalStatus;
    const isRight = stands === standing[last.decision];
    find(isRight ? 'ok' : 'lost', `${contentId} is ${stands} after ${last.decision} was acknowledged`);
  }
}

export function isUncertain({ status }: Decided): boolean {
  return status === 0 || status >= 500;
}

export function checkLedger({ evidence }: Run, verdicts: Verdicts): void {
  for (const row of evidence.ledger) {
    const { charged, ready, ledger, balance, granted } = row;
    const isRight = ledger === balance && balance === granted - ready && balance >= 0;
    const what = JSON.stringify(row);
    if (charged > ready) verdicts.find(invariants.ledger, 'duplicated', what);
    else if (charged < ready) verdicts.find(invariants.ledger, 'lost', what);
    else verdicts.find(invariants.ledger, isRight ? 'ok' : 'unexpected', what);
  }
}
