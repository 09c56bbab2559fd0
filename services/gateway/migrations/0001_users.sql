-- additive
create table users (
  id text primary key,
  -- The tenant: one user owns one account, and its id never shows.
  account_id text not null,
  email text not null,
  name text,
  password_hash text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint users_account_unique unique (account_id)
);

create unique index users_email_unique on users (lower(email));

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  constraint sessions_token_unique unique (token_hash)
);

create index sessions_of_user on sessions (user_id);

-- One row per failed sign-in of the last 15 minutes, unknown addresses included; the address stands hashed.
create table sign_in_failures (
  id bigint generated always as identity primary key,
  email_hash bytea not null,
  failed_at timestamptz(3) not null
);

create index sign_in_failures_of_email on sign_in_failures (email_hash, failed_at);
create index sign_in_failures_oldest on sign_in_failures (failed_at);
