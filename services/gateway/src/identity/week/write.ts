import { countScheduled, countWaiting, summarizeWeek } from '@hookline/shared/contracts/internal';
import { bareCaller } from '@hookline/shared/http';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { MailText } from '../mail/mail.rules.ts';
import { listRolesToBeMailed } from '../mail/queries.ts';
import { findByAddress, type MailRow } from '../mail/record.ts';
import { consoleIn } from '../standing/workspace.rules.ts';
import { weekBefore, weekText } from './week.rules.ts';

/** The week before the mail was stored, for an owner who still wants it; null where there is nothing to say. */
export async function writeWeek(
  { db, peers, publicUrl }: Pick<IdentityDeps, 'db' | 'peers' | 'publicUrl'>,
  { subjectId: accountId, recipient, createdAt }: MailRow,
): Promise<MailText | null> {
  const owner = findByAddress(await listRolesToBeMailed(db, accountId, ['owner']), recipient);
  if (!owner?.weekly) return null;
  const { workspace, timezone, userId } = owner;
  const caller = bareCaller({ accountId, userId, keyId: null, scopes: ['content:read', 'schedules:read'] });
  const { since, until } = weekBefore(createdAt, timezone);
  const times = { since: since.toISOString(), until: until.toISOString() };
  const nextEnd = new Date(createdAt.getTime() + 7 * dayMs).toISOString();
  const [week, { data }, { count: scheduled }] = await Promise.all([
    peers.call(summarizeWeek, { body: { ...times, timezone }, caller }),
    peers.call(countWaiting, { body: {}, caller }),
    peers.call(countScheduled, { body: { until: nextEnd }, caller }),
  ]);
  const facts = { ...week, waiting: data.pending, scheduled };
  return weekText({ ...facts, workspace, timezone, until, consoleUrl: consoleIn(publicUrl, accountId) });
}
