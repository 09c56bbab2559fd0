-- additive
-- A creator at the platform, shared by every platform account that speaks for them. Its row lock orders
-- calls.
create table creators (
  open_id text primary key,
  -- Times of the newest calls, for 6 inits and 30 status calls a minute.
  init_stamps timestamptz[] not null default '{}',
  status_stamps timestamptz[] not null default '{}',
  -- No init before this; null: none is needed.
  next_init_at timestamptz,
  -- Until when a revocation of the creator's consent may reach the platform; in the past once it is over,
  -- null if there was none. A connection of the creator is written only while it does not change.
  revoking_until timestamptz
);

create table platform_accounts (
  id text primary key,
  account_id text not null,
  app_id text,
  -- phone: somebody posts by hand. Its row in creators is its own.
  kind text not null default 'api',
  -- The carrier names the adapter that posts for the account.
  carrier text not null default 'tiktok',
  open_id text not null references creators(open_id),
  username text,
  display_name text not null,
  avatar_url text,
  status text not null,
  scopes text[] not null,
  privacy_levels text[] not null default '{}',
  comment_disabled boolean not null default false,
  -- When the platform was last asked for privacy_levels and comment_disabled.
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
  -- When the account's grant was last looked after, ahead of its posts; null: not yet.
  kept_at timestamptz(3),
  -- Posting times as callers give them, and the zone of their clocks.
  slots jsonb not null default '[]',
  timezone text not null default 'UTC',
  -- Who asks the platform for new tokens of the account, and until when others leave it alone. Null: nobody.
  refresh_holder text,
  refresh_lease_until timestamptz,
  constraint platform_account_connected_has_tokens check (kind = 'phone' or status <> 'connected' or deleted_at is not null or (access_token_sealed is not null and refresh_token_sealed is not null)),
  constraint platform_account_kind_known check (kind in ('api', 'phone')),
  constraint platform_account_status_known check (status in ('connected', 'needs_reauth', 'disconnected'))
);

create unique index platform_accounts_one_per_creator on platform_accounts (account_id, open_id) where deleted_at is null;
create index platform_accounts_newest on platform_accounts (account_id, created_at desc, id desc) where deleted_at is null;
create index platform_accounts_by_creator on platform_accounts (open_id) where deleted_at is null;
-- The accounts of a workspace that is deleted, with those that were disconnected.
create index platform_accounts_of_account on platform_accounts (account_id);

-- A connection that was begun: the state is kept as its digest and used once.
create table connect_states (
  state_digest bytea primary key,
  account_id text not null,
  carrier text not null default 'tiktok',
  app_id text,
  -- The PKCE verifier of the desktop flow, bound to the digest; null in the web flow.
  verifier_sealed text,
  redirect_uri text not null,
  expires_at timestamptz(3) not null,
  -- Who began the connection. The code that came back, sealed to the state's digest, until that person
  -- finishes; and the digest of the proof that only the browser that came back holds.
  user_id text,
  code_sealed text,
  proof_digest bytea,
  -- One request at a time exchanges the code, which works once: its tokens are kept, sealed, until the
  -- account is written.
  taken_until timestamptz(3),
  tokens_sealed text,
  -- The page of the console to which the callback leads back; null: none was asked for.
  return_to text
);

create index connect_states_expired on connect_states (expires_at);

create table schedules (
  id text primary key,
  account_id text not null,
  platform_account_id text not null references platform_accounts(id),
  content_id text not null,
  content_version integer not null,
  status text not null,
  mode text not null,
  privacy_level text,
  scheduled_for timestamptz(3) not null,
  title text not null,
  description text not null,
  -- False: the text is the content's own and follows its edits.
  is_title_given boolean not null,
  is_description_given boolean not null,
  disable_comment boolean not null,
  brand_organic boolean not null,
  branded_content boolean not null,
  ai_generated boolean not null,
  auto_add_music boolean not null,
  outcome text,
  failure jsonb,
  platform_post_id text,
  platform_post_url text,
  sent_at timestamptz(3),
  automation_id text,
  firing_id text,
  -- The request is the consent; kept for the platform's compliance rules.
  consented_at timestamptz(3) not null,
  key_id text,
  request_id text,
  -- Posted within the request that made it.
  is_immediate boolean not null,
  -- Waits for an approval since; null: does not.
  held_since timestamptz(3),
  -- When the sender looks next, by the database's clock; null: an attempt is being settled, or it is over.
  due_at timestamptz(3),
  -- Raised at every claim: the fencing token of the worker in charge.
  fence integer not null default 0,
  lease_until timestamptz,
  -- Tries of this run that made no post: unreachable, limited, fenced.
  tries integer not null default 0,
  -- Calls made anew by themselves in this run, after the platform had ended the one before as failed.
  resends integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The span that asked for the schedule: what is done for it later goes on in its trace.
  traceparent text,
  -- Who made the schedule, with the name at that time. `key_id` has the id alone.
  created_by jsonb,
  -- The keys that changed a schedule, or made or changed the automation that asked for it; `key_id` made it.
  key_ids text[],
  -- Sequence of the newest approval of its content that was heard of: an older rejection that comes late ends
  -- nothing.
  approved_sequence bigint,
  -- The first slide of the version that was approved last, for the picture in lists.
  cover_image_id text,
  -- The caller's own id for it, and texts by name.
  external_id text,
  metadata jsonb,
  -- The same for decks that differ by their hook alone.
  slides_digest text,
  -- Its deck takes part in an experiment with hooks.
  is_compared boolean not null default false,
  constraint schedule_failed_has_failure check ((status = 'failed') = (failure is not null)),
  constraint schedule_mode_known check (mode in ('draft', 'publish', 'phone')),
  constraint schedule_over_is_not_due check (status in ('pending', 'sending') or due_at is null),
  constraint schedule_publish_has_privacy check (mode <> 'publish' or privacy_level is not null),
  constraint schedule_sent_has_outcome check ((status = 'sent') = (outcome is not null)),
  constraint schedule_status_known check (status in ('pending', 'sending', 'due', 'sent', 'failed'))
);

-- A send changes its row twice while it is `sending`, and each change writes every index that the row is in. So
-- the indexes of the lists leave such rows out, which are few and have one of their own.
create index schedules_sending on schedules (account_id, created_at desc, id desc) where status = 'sending';
create index schedules_newest on schedules (account_id, created_at desc, id desc) where status <> 'sending';
create unique index schedules_one_waiting on schedules (content_id, platform_account_id) where status in ('pending', 'sending', 'due');
create unique index schedules_one_per_firing on schedules (firing_id) where firing_id is not null;
create index schedules_of_external_id on schedules (account_id, external_id, created_at desc, id desc)
  where external_id is not null;
create index schedules_due on schedules (due_at) where due_at is not null;
create index schedules_held on schedules (content_id) where held_since is not null;
-- Schedules in a worker's hands: a claim looks whether their creators are busy, however many others wait.
create index schedules_leased on schedules (lease_until) where lease_until is not null;
-- The last turn that was given to a creator's waiting schedules, however many there are.
create index schedules_by_turn on schedules (platform_account_id, due_at) where status = 'pending';
-- For lists of one status: a filter that few rows pass must not read all the others.
create index schedules_by_status on schedules (account_id, status, created_at desc, id desc) where status <> 'sending';
-- For lists of one content.
create index schedules_of_content on schedules (content_id, created_at desc, id desc) where status <> 'sending';
-- For the calendar: schedules in the order of their times.
create index schedules_by_time on schedules (account_id, scheduled_for, id) where status <> 'sending';
-- For the calendar of one platform account.
create index schedules_of_account_by_time on schedules (platform_account_id, scheduled_for, id) where status <> 'sending';
-- For lists of one platform account: a filter that few rows pass must not read all the others.
create index schedules_of_account on schedules (platform_account_id, created_at desc, id desc) where status <> 'sending';
-- What a revoked key still has waiting.
create index schedules_waiting_of_key on schedules (key_id, id) where status in ('pending', 'due');
-- What a revoked key changed and still waits. Few rows have keys in the array.
create index schedules_waiting_of_key_ids on schedules using gin (key_ids) where status in ('pending', 'due') and key_ids is not null;

-- When the numbers of a post are asked for next: posts whose id is known, of accounts that grant video.list.
create table post_readings (
  schedule_id text primary key references schedules(id) on delete cascade,
  platform_account_id text not null,
  next_at timestamptz(3) not null,
  -- In a row: calls that were refused, and answers in which the post was not there.
  failures integer not null default 0,
  misses integer not null default 0
);

create index post_readings_due on post_readings (next_at);
create index post_readings_of_account on post_readings (platform_account_id, next_at);

create table schedule_timeline (
  id bigint generated always as identity primary key,
  schedule_id text not null references schedules(id) on delete cascade,
  at timestamptz(3) not null,
  what text not null,
  detail text
);

create index schedule_timeline_by_schedule on schedule_timeline (schedule_id, id);

-- What automations asked for: answered once per firing with schedule.created or schedule.rejected.
create table schedule_requests (
  firing_id text primary key,
  account_id text not null,
  automation_id text not null,
  content_id text not null,
  platform_account_id text not null,
  scheduled_for timestamptz(3) not null,
  mode text not null,
  privacy_level text,
  schedule_id text not null,
  request_id text,
  tries integer not null default 0,
  -- It is null once the request was answered.
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  key_ids text[],
  -- Accounts take turns: the first request of each, then the second of each.
  turn bigint not null default 0
);

create index schedule_requests_due on schedule_requests (due_at) where due_at is not null;
create index schedule_requests_by_age on schedule_requests (created_at);
create index schedule_requests_of_account on schedule_requests (account_id);
-- The next request of all accounts, among those that wait.
create index schedule_requests_by_turn on schedule_requests (turn, due_at) where due_at is not null;
-- The last turn that an account has, however many of its requests were answered.
create index schedule_request_turns_of_account on schedule_requests (account_id, turn) where due_at is not null;

-- One call of content/init. Written before the call; its links are its own.
create table attempts (
  id text primary key,
  -- It is null once the schedule was withdrawn: reports of its fenced calls may still come.
  schedule_id text references schedules(id) on delete set null,
  open_id text not null references creators(open_id),
  fence integer not null,
  -- calling: the answer is awaited. unconfirmed: no answer, but a slide was pulled. accepted: the platform
  -- gave a publish id. Over: refused, unreachable, fenced (links closed before any pull), delivered, failed,
  -- unknown.
  state text not null,
  -- SHA-256 of the token in the links.
  media_digest bytea not null,
  image_ids text[] not null,
  -- The slide (counted from 1) whose file was gone when the platform asked for it.
  missing_slide integer,
  -- The first pull, recorded before its first byte.
  pulled_at timestamptz(3),
  links_closed_at timestamptz(3),
  publish_id text,
  -- When the status is asked for next; null: not at all.
  next_poll_at timestamptz(3),
  polls integer not null default 0,
  started_at timestamptz(3) not null,
  constraint attempt_fenced_was_never_pulled check (state <> 'fenced' or (pulled_at is null and links_closed_at is not null)),
  constraint attempt_state_known check (state in ('calling', 'unconfirmed', 'accepted', 'refused', 'unreachable', 'fenced', 'delivered', 'failed', 'unknown'))
);

-- While the outcome of one call is open, its creator sends nothing else: an unknown publish id can only be
-- its own.
create unique index attempts_one_open_per_creator on attempts (open_id) where state in ('calling', 'unconfirmed');
create unique index attempts_media on attempts (media_digest);
create unique index attempts_publish_id on attempts (publish_id) where publish_id is not null;
create index attempts_by_schedule on attempts (schedule_id, started_at);
create index attempts_to_poll on attempts (next_poll_at) where next_poll_at is not null;
create index attempts_without_id on attempts (open_id, started_at) where publish_id is null;
-- What retention looks for: attempts whose schedule was withdrawn.
create index attempts_withdrawn on attempts (started_at) where schedule_id is null;

-- The platform's webhooks, each once.
create table platform_events (
  dedupe_key text primary key,
  event text not null,
  open_id text not null,
  publish_id text,
  received_at timestamptz(3) not null
);

create index platform_events_by_age on platform_events (received_at);

-- Times in which no post went out. While one is open, nothing is claimed and no call begins.
create table sending_pauses (
  id bigint generated always as identity primary key,
  -- The workspace whose owner stopped its posts; null: an operator stopped those of all.
  of_account text,
  paused_at timestamptz(3) not null,
  reason text,
  resumed_at timestamptz(3),
  -- Why a pause is open. Null: an operator's. went_back: the database is younger than what was sent from it.
  -- restored: as before, and what may have been sent is closed. failover: another server answers; ends by
  -- itself at ends_at.
  cause text,
  ends_at timestamptz(3),
  constraint sending_pause_cause_known check (cause in ('went_back', 'restored', 'failover')),
  constraint sending_pause_ends_after_it_began check (resumed_at >= paused_at)
);

create unique index sending_pauses_one_open on sending_pauses (coalesce(of_account, '')) where resumed_at is null;
-- For timelines, and for the deletion of a workspace.
create index sending_pauses_of_account on sending_pauses (of_account);

-- Backups that the schema was filled from. Of what was due by then nobody here knows whether it was posted.
create table restores (
  restored_at timestamptz(3) primary key,
  backup_at timestamptz(3) not null
);

-- The database server that the senders saw last. A sender that starts on another one pauses as those that run
-- do: they may remember calls that it lacks.
create table witnessed_server (
  one_row boolean primary key default true,
  system_id text not null,
  timeline integer not null,
  constraint witnessed_server_one_row_check check (one_row)
);

