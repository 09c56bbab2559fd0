import { appendEvent } from '@hookline/shared/bus';
import { invalidRequest } from '@hookline/shared/contracts';
import { accountConnected } from '@hookline/shared/events';
import { byOf, type Caller } from '@hookline/shared/http';
import { newId } from '@hookline/shared/kernel';
import { findPlatformAccount } from '../accounts/queries.ts';
import { type PlatformAccount, toAccount } from '../accounts/record.ts';
import type { WriteContext } from '../context.ts';
import { insertPhone, lockCountOfPhones } from './queries.ts';

const phonesMax = 100;

/** Adds an account whose posts a person makes. It has no grant, so it never needs another sign-in. */
export async function addPhone(
  { tx, now }: WriteContext,
  caller: Caller,
  { name, appId }: { name: string; appId?: string | undefined },
): Promise<PlatformAccount> {
  const id = newId('account', now.getTime());
  const { accountId } = caller;
  if ((await lockCountOfPhones(tx, accountId)) >= phonesMax) {
    throw invalidRequest(
      `name cannot be added: a workspace has at most ${phonesMax} accounts of kind "phone"; remove one`,
    );
  }
  await insertPhone(tx, { id, accountId, appId: appId ?? null, name, now });
  const account = (await findPlatformAccount(tx, accountId, id))!;
  await appendEvent(tx, accountConnected, {
    accountId,
    subject: id,
    source: 'scheduling',
    at: now,
    data: { account: toAccount(account), by: byOf(caller) },
  });
  return account;
}
