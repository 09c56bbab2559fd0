-- additive
-- Accounts that ask a real store. Among those that wait, the one whose last turn is the oldest is next.
create table store_callers (
  store text not null,
  account_id text not null,
  turn_at timestamptz not null default '-infinity',
  -- Renewed while a request of the account waits.
  waiting_until timestamptz not null,
  primary key (store, account_id)
);

create index store_callers_waiting on store_callers (waiting_until);
create index store_callers_of_account on store_callers (account_id);
