import { notFound } from '@hookline/shared/contracts';
import { byOf } from '@hookline/shared/http';
import { authorOf } from '@hookline/shared/http/authority';
import type { WriteContext } from '../deps.ts';
import { requireConfirmer } from './confirmation.rules.ts';
import { lockAutomation, updateAutomation } from './queries.ts';
import type { AutomationRow } from './record.ts';

/** @param seen the `updatedAt` of the automation that was looked at */
export async function confirmAutomation(
  { tx, caller, now }: WriteContext,
  id: string,
  seen: string | undefined,
): Promise<AutomationRow> {
  const automation = await lockAutomation(tx, caller.accountId, id);
  if (!automation) throw notFound('automation');
  requireConfirmer(caller, automation, seen);
  const confirmed = {
    ...automation,
    // A later policy may ask for another person than the author.
    confirmedBy: authorOf(caller) === automation.authorId ? automation.confirmedBy : byOf(caller),
    awaitsConfirmation: false,
    updatedAt: now,
  };
  await updateAutomation(tx, confirmed, null);
  return confirmed;
}
