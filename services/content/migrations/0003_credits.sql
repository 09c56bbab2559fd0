-- additive
create table credit_accounts (
  account_id text primary key,
  -- Grants minus charges. Reserved credits are still in it and cannot be reserved twice.
  balance integer not null,
  reserved integer not null default 0,
  granted integer not null,
  spent integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint credit_balance_never_negative check (balance >= 0),
  constraint credit_reserved_within_balance check (reserved between 0 and balance),
  constraint credit_sums_agree check (balance = granted - spent)
);

create table credit_ledger (
  id text primary key,
  account_id text not null references credit_accounts (account_id),
  amount integer not null,
  reason text not null,
  content_id text,
  request_id text,
  -- Why an operator granted credits (an invoice, a ticket): the same reference is granted once, whatever is repeated.
  reference text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint credit_reason_known check (reason in ('grant', 'generation')),
  constraint credit_charge_names_content check (reason <> 'generation' or (content_id is not null and amount = -1)),
  constraint credit_grant_is_positive check (reason <> 'grant' or amount > 0),
  constraint credit_reference_of_a_grant check (reference is null or (reason = 'grant' and reference ~ '\S'))
);

create index credit_ledger_newest on credit_ledger (account_id, created_at desc, id desc);
-- One charge per content, whatever is retried.
create unique index credit_one_charge_per_content on credit_ledger (content_id) where reason = 'generation';
create unique index credit_one_grant_per_reference on credit_ledger (reference) where reference is not null;

-- A credit set aside before the work. It ends as a charge or is given back; one that outlives its lease
-- belongs to work that died and is given back by the reaper.
create table credit_reservations (
  content_id text primary key,
  account_id text not null references credit_accounts (account_id),
  day date not null,
  expires_at timestamptz not null
);

create index credit_reservations_expired on credit_reservations (expires_at);

-- Generations per account and UTC day: those that succeeded or are under way.
create table daily_generations (
  account_id text not null,
  day date not null,
  used integer not null,
  primary key (account_id, day),
  constraint daily_generations_not_negative check (used >= 0)
);
