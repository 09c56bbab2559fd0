/** An entry of the audit log in plain words. */
import type { AuditEvent } from '../manage/queries.ts';

/**
 * The name of what it was done to, as it was then or else as it is now.
 * @param names of members, keys, apps and accounts by their ids
 */
export function nameIn(
  { actor, subject, detail }: Pick<AuditEvent, 'actor' | 'subject' | 'detail'>,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const { hook, name, email, invited, username, displayName, host, command } = detail;
  const told = [hook, name, email, invited, username && `@${username}`, displayName, host, command];
  return (
    told.find((text): text is string => typeof text === 'string') ??
    (subject.id === actor.id ? undefined : names.get(subject.id ?? ''))
  );
}

/** Entries that follow one another and say the same of the same minute, by the first of them. */
export function burstsOf<E extends AuditEvent>(entries: readonly E[]): Map<E, readonly E[]> {
  const same = ({ at, actor, action, subject, detail }: E) =>
    [at.slice(0, 16), actor.id, action, detail.request, subject.id].join();
  const bursts = new Map<E, E[]>();
  let first: E | undefined;
  for (const entry of entries) {
    if (!first || same(first) !== same(entry)) {
      first = entry;
      bursts.set(first, []);
    }
    bursts.get(first)?.push(entry);
  }
  return bursts;
}

/** Values that say by themselves what was done. */
const telling = ['role', 'mayDecide', 'approvalMode', 'postingMode', 'privacyLevel', 'provider', 'model'];

/** The reasons that are ours; others are words of a person. */
const refusals: Readonly<Record<string, string>> = {
  second_factor: 'the passkey or the recovery code was wrong',
  email_not_verified: 'the organisation has not verified the address',
};

/** What changed, and why. Everything else is left to the details. */
export function factsIn({ action, detail }: Pick<AuditEvent, 'action' | 'detail'>): string[] {
  const { from, to, fields, reason } = detail;
  const told = telling.filter(name => detail[name] !== undefined && detail[name] !== null);
  return [
    ...(to === undefined ? [] : changesBetween(from, to)),
    ...told.map(name => `${plain(name)}: ${plain(detail[name])}`),
    ...(action.endsWith('.changed') && Array.isArray(fields) && told.length === 0 ? fields.map(plain) : []),
    ...(typeof reason === 'string' ? [refusals[reason] ?? `“${reason}”`] : []),
  ];
}

function changesBetween(from: unknown, to: unknown): string[] {
  if (typeof to !== 'object' || to === null) return [`${plain(from)} → ${plain(to)}`];
  const before = Object(from) as Record<string, unknown>;
  return Object.entries(to)
    .filter(([name, value]) => before[name] !== value)
    .map(([name, value]) => `${plain(name)}: ${plain(before[name])} → ${plain(value)}`);
}

/** `anyone_with_scope` and `requireVersion` as words. */
function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value)
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
