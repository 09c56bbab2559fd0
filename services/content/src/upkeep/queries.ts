/** Children are deleted before parents. */
import { type DeletionStep, ofAccount, where } from '@hookline/shared/leaving';

const ofContents = 'content_id in (select id from contents where account_id = $1)';
const ofApps = 'app_id in (select id from apps where account_id = $1)';

/**
 * The reaper checks the files in an hour and deletes those that no other workspace has: another one may be
 * storing the same file, and writes its row afterwards. Thumbnails are due after the poll that deletes their
 * images.
 */
function withFiles(table: string, condition: string): DeletionStep {
  const statement = `with gone as (
      delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit $2))
      returning digest
    ),
    files as (
      update slide_files set look_at = least(look_at, now() + interval '1 hour') where digest in (select digest from gone)
    ),
    thumbnails as (
      update slide_files set look_at = least(look_at, now() + interval '150 min')
      where thumbnail_of in (select digest from gone)
    )
    select count(*)::int as count from gone`;
  return { table, statement };
}

/**
 * Charges go first, then grants. Balance and charged contents follow in the same statement, so that the
 * ledger agrees with both at any time and no balance is below zero.
 */
const ledger: DeletionStep = {
  table: 'credit_ledger',
  statement: `with gone as (
      delete from credit_ledger
      where ctid = any(array(select ctid from credit_ledger where account_id = $1 order by amount limit $2))
      returning amount, content_id
    ),
    sums as (
      select coalesce(sum(greatest(amount, 0)), 0) as granted, coalesce(-sum(least(amount, 0)), 0) as spent from gone
    ),
    uncharged as (
      update contents set cost_charged = 0 where id in (select content_id from gone where amount < 0)
    ),
    balanced as (
      update credit_accounts set reserved = 0, granted = credit_accounts.granted - sums.granted,
        spent = credit_accounts.spent - sums.spent, balance = balance - sums.granted + sums.spent
      from sums where account_id = $1
    )
    select count(*)::int as count from gone`,
};

export const deletionSteps: readonly DeletionStep[] = [
  ofAccount('credit_reservations'),
  ledger,
  ofAccount('credit_accounts'),
  withFiles('slide_images', ofContents),
  where('approvals', ofContents),
  where('send_permits', ofContents),
  where('content_timeline', ofContents),
  where('comments', ofContents),
  where('known_schedules', ofContents),
  ofAccount('contents'),
  withFiles('pictures', 'account_id = $1'),
  where('wanted_screenshots', ofApps),
  ofAccount('apps'),
  ofAccount('text_models'),
  ofAccount('daily_generations'),
  ofAccount('edit_draws'),
  ofAccount('store_callers'),
  ofAccount('idempotency_keys'),
];
