import { lockForCount, type Transaction } from '@hookline/shared/postgres';
import type { MailsOfDay } from './mail-limit.rules.ts';

type Sent = { recipientHash: Buffer; accountId: string };

/**
 * Mails since a time, to this address and from this workspace. The counts stay so until the transaction ends.
 * Also deletes up to 500 older ones.
 */
export async function lockInvitationMails(
  tx: Transaction,
  { recipientHash, accountId }: Sent,
  since: Date,
): Promise<MailsOfDay> {
  await lockForCount(tx, 'invitation mails', recipientHash.toString('hex'));
  await tx.query(
    `delete from invitation_mails where id in
       (select id from invitation_mails where sent_at <= $1 order by sent_at limit 500 for update skip locked)`,
    [since],
  );
  return await tx.only<MailsOfDay>(
    `select (select count(*)::int from invitation_mails where recipient_hash = $1 and sent_at > $3) as "toAddress",
            (select count(*)::int from invitation_mails where account_id = $2 and sent_at > $3) as "ofWorkspace"`,
    [recipientHash, accountId, since],
  );
}

export async function insertInvitationMail(
  tx: Transaction,
  { recipientHash, accountId, now }: Sent & { now: Date },
): Promise<void> {
  await tx.query('insert into invitation_mails (recipient_hash, account_id, sent_at) values ($1, $2, $3)', [
    recipientHash,
    accountId,
    now,
  ]);
}
