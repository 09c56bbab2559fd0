import type { Invariant } from '@hookline/shared/postgres';

/** A condition on `a.account_id` may be appended. */
export const ledgerFiguresSql = `
  select a.account_id as account, a.balance, a.granted, a.spent, a.reserved,
    (select count(*)::int from content.contents c where c.account_id = a.account_id) as contents,
    (select count(*)::int from content.contents c where c.account_id = a.account_id and c.status = 'ready') as ready,
    (select count(*)::int from content.credit_ledger l where l.account_id = a.account_id and l.reason = 'generation') as charged,
    (select coalesce(sum(l.amount), 0)::int from content.credit_ledger l where l.account_id = a.account_id) as ledger
  from content.credit_accounts a`;

export const contentInvariants: readonly Invariant[] = [
  {
    name: 'content: the ledger, the balance and the ready contents of an account agree',
    sql: `select account as id, 'balance ' || balance || ', ledger ' || ledger || ', granted ' || granted || ', spent '
        || spent || ', charged ' || charged || ', ready ' || ready as what
      from (${ledgerFiguresSql}) figures
      where ledger <> balance or charged <> ready or spent <> charged or balance <> granted - ready`,
  },
  {
    name: 'content: no balance is below zero, and no more is set aside than is there',
    sql: `select account_id as id, 'balance ' || balance || ', set aside ' || reserved as what
      from content.credit_accounts where balance < 0 or reserved < 0 or reserved > balance`,
  },
  {
    name: 'content: each credit that is set aside has its work',
    sql: `select a.account_id as id, a.reserved || ' set aside, ' || count(r.content_id) || ' for work' as what
      from content.credit_accounts a left join content.credit_reservations r on r.account_id = a.account_id
      group by a.account_id, a.reserved having a.reserved <> count(r.content_id)`,
  },
  {
    name: 'content: no credit stays set aside longer than its work may take',
    sql: `select content_id as id, account_id || ' until ' || expires_at as what
      from content.credit_reservations where expires_at < now() - interval '5 minutes'`,
  },
  {
    name: 'content: a firing has one content',
    sql: `select origin_firing_id as id, count(*) || ' contents' as what from content.contents
      where origin_firing_id is not null group by origin_firing_id having count(*) > 1`,
  },
];
