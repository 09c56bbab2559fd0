-- additive
-- One call of content/init. Written before the call; its links are its own.
create table attempts (
  id text primary key,
  -- Null once the schedule was withdrawn: news of its fenced calls may come later, and is theirs.
  schedule_id text references schedules (id) on delete set null,
  open_id text not null references creators (open_id),
  fence integer not null,
  -- calling: the answer is awaited. unconfirmed: no answer, but a slide was pulled. accepted: the platform gave a
  -- publish id. Over: refused, unreachable, fenced (links closed before any pull), delivered, failed, unknown.
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
  constraint attempt_state_known check (state in (
    'calling', 'unconfirmed', 'accepted', 'refused', 'unreachable', 'fenced', 'delivered', 'failed', 'unknown')),
  constraint attempt_fenced_was_never_pulled check (state <> 'fenced' or (pulled_at is null and links_closed_at is not null))
);

-- While the outcome of one call is open, its creator sends nothing else: an unknown publish id can only be its own.
create unique index attempts_one_open_per_creator on attempts (open_id) where state in ('calling', 'unconfirmed');
create unique index attempts_media on attempts (media_digest);
create unique index attempts_publish_id on attempts (publish_id) where publish_id is not null;
create index attempts_by_schedule on attempts (schedule_id, started_at);
create index attempts_to_poll on attempts (next_poll_at) where next_poll_at is not null;
create index attempts_without_id on attempts (open_id, started_at) where publish_id is null;

-- The platform's webhooks, each once.
create table platform_events (
  dedupe_key text primary key,
  event text not null,
  open_id text not null,
  publish_id text,
  received_at timestamptz(3) not null
);

create index platform_events_by_age on platform_events (received_at);
