-- additive
-- A creator at the platform, shared by every platform account that speaks for them. Its row lock orders calls.
create table creators (
  open_id text primary key,
  -- Times of the newest calls, for 6 inits and 30 status calls a minute.
  init_stamps timestamptz[] not null default '{}',
  status_stamps timestamptz[] not null default '{}',
  -- No init before this; null: none is needed.
  next_init_at timestamptz
);

create table platform_accounts (
  id text primary key,
  account_id text not null,
  app_id text,
  open_id text not null references creators (open_id),
  username text not null,
  display_name text not null,
  avatar_url text,
  status text not null,
  scopes text[] not null,
  privacy_levels text[] not null default '{}',
  comment_disabled boolean not null default false,
  -- When the platform was last asked for the two columns above.
  checked_at timestamptz(3),
  -- AES-GCM, bound to this row's id; null once the account is disconnected or deleted.
  access_token_sealed text,
  access_expires_at timestamptz(3),
  refresh_token_sealed text,
  refresh_expires_at timestamptz(3),
  connected_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint platform_account_status_known check (status in ('connected', 'needs_reauth', 'disconnected')),
  constraint platform_account_connected_has_tokens check (
    status <> 'connected' or deleted_at is not null
    or (access_token_sealed is not null and refresh_token_sealed is not null)
  )
);

create unique index platform_accounts_one_per_creator on platform_accounts (account_id, open_id) where deleted_at is null;
create index platform_accounts_newest on platform_accounts (account_id, created_at desc, id desc) where deleted_at is null;
create index platform_accounts_by_creator on platform_accounts (open_id) where deleted_at is null;

-- A connection that was begun: the state is kept as its digest and used once.
create table connect_states (
  state_digest bytea primary key,
  account_id text not null,
  app_id text,
  -- The PKCE verifier of the desktop flow, bound to the digest; null in the web flow.
  verifier_sealed text,
  redirect_uri text not null,
  expires_at timestamptz(3) not null
);

create index connect_states_expired on connect_states (expires_at);
