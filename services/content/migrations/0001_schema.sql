-- additive
create table apps (
  id text primary key,
  account_id text not null,
  name text not null,
  details text not null,
  seed_hooks text[] not null,
  -- The normalised store listing that texts are written from.
  listing jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A deleted app keeps its row: its contents refer to it.
  deleted_at timestamptz(3),
  -- Colours, typefaces, handle, logo, voice and avoided words of an app; null: none was set.
  brand jsonb,
  -- Screenshots of the store page that a person deleted: a refresh does not fetch them again.
  unwanted_screenshots text[] not null default '{}',
  -- Changes of the name, the listing and the brand by callers who may not approve them: a list, one entry an
  -- item.
  unreviewed jsonb not null default '[]',
  -- What the numbers of its decks say about the next hook, and the sequence of the event that said so.
  lesson jsonb,
  lesson_sequence bigint not null default 0,
  -- The caller's own id for it, and texts by name.
  external_id text,
  metadata jsonb,
  constraint app_name_not_blank check (name ~ '\S'),
  constraint app_seed_hooks_at_most_15 check (cardinality(seed_hooks) <= 15)
);

create index apps_newest on apps (account_id, created_at desc, id desc);
-- The list of apps, without those that were deleted.
create index apps_kept_newest on apps (account_id, created_at desc, id desc) where deleted_at is null;

create table contents (
  id text primary key,
  account_id text not null,
  app_id text not null references apps(id),
  type text not null,
  status text not null,
  approval_status text not null default 'pending',
  brief jsonb,
  result jsonb,
  -- How the deck was written: an edit is drawn in the same look, with the fonts of the same language.
  archetype text,
  language text,
  version integer not null default 1,
  cost_charged integer not null default 0,
  notice text,
  error_code text,
  error_message text,
  origin_automation_id text,
  origin_firing_id text,
  -- An automation's content approves itself when it is ready, or waits for a person.
  origin_approval_mode text,
  request_id text,
  decided_version integer,
  decision text,
  decided_at timestamptz(3),
  decided_by_key_id text,
  lease_token text,
  lease_until timestamptz,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- How often a worker took the content to generate it: one that never ends must not be taken for ever.
  attempts integer not null default 0,
  -- Who took the decision: {kind, id, name}.
  decided_by jsonb,
  decision_reason text,
  -- Somebody asked for another version than the current one: { reason, by, at }. The approval queue leaves it out.
  changes_requested jsonb,
  -- Who wrote the texts: a user id, or the id of a key whose creator is unknown.
  author_id text,
  -- Who wrote the texts: { kind, name, repaired }.
  writer jsonb,
  -- The deck of the app that has most in common with this one, and how much: { nearestContentId, overlap }.
  freshness jsonb,
  -- Who made the content: { kind, id, name }; null where an automation did.
  made_by jsonb,
  -- Why the content of an automation that approves automatically waits for a person; null if it does not.
  waits_because text,
  -- How often a queued content was put back because the image store or the text model was away. It is not
  -- counted in attempts. While it is queued, lease_until is the end of its pause, and waits_because says what
  -- it waits for.
  waits integer not null default 0,
  -- What the current version shows of the app: values of its brand, and pictures.
  shown jsonb,
  -- A schedule waits for the content, or posted it, or failed. Withdrawn ones do not count.
  is_scheduled boolean not null default false,
  -- The experiment with hooks that the content takes part in.
  experiment_id text,
  -- The caller's own id for it, and texts by name.
  external_id text,
  metadata jsonb,
  -- When the content of a list or an automation is taken at the latest, if others are queued; null for a single one.
  turn_at timestamptz,
  constraint content_approval_known check (approval_status in ('pending', 'approved', 'rejected')),
  constraint content_approved_only_when_ready check (approval_status = 'pending' or status = 'ready'),
  constraint content_charged_only_when_ready check (cost_charged = 0 or (cost_charged = 1 and status = 'ready')),
  constraint content_failed_has_reason check (status <> 'failed' or error_code is not null),
  constraint content_ready_has_result check (status <> 'ready' or result is not null),
  constraint content_status_known check (status in ('queued', 'running', 'ready', 'failed')),
  constraint content_type_known check (type in ('slideshow', 'illustrated', 'hook_video'))
);

create index contents_newest on contents (account_id, created_at desc, id desc);
-- Words of the texts. The account is a word too, so that the words of others are passed over.
create index contents_words_and_signs on contents using gin (
  (to_tsvector('simple', account_id) || jsonb_to_tsvector('simple', regexp_replace(translate(coalesce(result, '{}')::text, './@+-', '     '), '[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]', ' \& ', 'g')::jsonb, '["string"]')));
create index contents_of_external_id on contents (account_id, external_id, created_at desc, id desc)
  where external_id is not null;
-- One content per firing, however often the event comes.
create unique index contents_one_per_firing on contents (origin_firing_id) where origin_firing_id is not null;
-- For lists of one app: a filter that few rows pass must not read all the others.
create index contents_of_app on contents (app_id, created_at desc, id desc);
-- For lists of what is not ready: a filter that few rows pass must not read all the others.
create index contents_not_ready on contents (account_id, status, created_at desc, id desc) where status <> 'ready';
-- For lists of what is ready, in an account whose contents mostly failed.
create index contents_ready on contents (account_id, created_at desc, id desc) where status = 'ready';
-- For lists of one app and status: a filter that few rows pass must not read all the others.
create index contents_of_app_by_status on contents (app_id, status, created_at desc, id desc);
-- The approval queue, its count, and lists by decision. Not partial: the planner counts `contents_approval`
-- only for columns.
create index contents_by_approval on contents (account_id, status, approval_status, created_at desc, id desc);
-- What waits for its next version.
create index contents_changes_requested on contents (account_id, created_at desc, id desc)
  where changes_requested is not null;
-- What is approved and waits for a time.
create index contents_to_schedule on contents (account_id, created_at desc, id desc)
  where status = 'ready' and approval_status = 'approved' and not is_scheduled;
-- For the approval queue of one app: a filter that few rows pass must not read all the others.
create index contents_of_app_by_approval on contents (app_id, status, approval_status, created_at desc, id desc);
-- For lists of what automations made.
create index contents_of_automations on contents (account_id, created_at desc, id desc) where origin_automation_id is not null;
-- For lists of what requests made, in an account whose contents are mostly made by automations.
create index contents_of_requests on contents (account_id, created_at desc, id desc) where origin_automation_id is null;
-- What the generation worker looks for, in the order in which it became due: one that was put back is behind
-- those that came meanwhile.
create index contents_by_due_time on contents (coalesce(lease_until, turn_at, created_at)) where status in ('queued', 'running');
-- Nearly all contents are decided in one account and none in another. With the columns counted one by one the planner
-- takes the two for equal, and reads everything that is ready to find the few that wait.
create statistics contents_approval (mcv) on account_id, status, approval_status from contents;

create table approvals (
  content_id text not null references contents(id),
  version integer not null,
  decision text not null,
  key_id text,
  request_id text,
  decided_at timestamptz(3) not null,
  decided_by jsonb,
  reason text,
  -- The texts of an approved version that was replaced: it may have been posted by hand.
  result jsonb,
  constraint approval_decision_known check (decision in ('approved', 'rejected'))
);

create index approvals_by_content on approvals (content_id, decided_at);

create table slide_images (
  id text primary key,
  content_id text not null references contents(id),
  version integer not null,
  slide_index integer not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  content_type text not null,
  digest bytea not null,
  created_at timestamptz(3) not null,
  constraint slide_image_once unique (content_id, version, slide_index)
);

-- Which contents need a file of the image store.
create index slide_images_by_digest on slide_images (digest);

-- A schedule's right to send a content. While one is open, approve, reject and edit answer already_sending;
-- after one that ended as sent they answer already_sent.
create table send_permits (
  schedule_id text primary key,
  content_id text not null references contents(id),
  version integer not null,
  -- The schedule's last event when the permit was granted: a retry must not lose it to the failure before.
  after_sequence bigint not null,
  granted_at timestamptz(3) not null,
  released_at timestamptz(3),
  outcome text,
  constraint send_permit_outcome_known check (outcome is null or outcome in ('sent', 'failed')),
  constraint send_permit_released_with_outcome check ((released_at is null) = (outcome is null))
);

create index send_permits_by_content on send_permits (content_id);
-- Permits that have been open for longest: what scheduling compares with its schedules.
create index send_permits_open on send_permits (granted_at, schedule_id) where released_at is null;

create table credit_accounts (
  account_id text primary key,
  -- Grants minus charges. Reserved credits are still in it and cannot be reserved twice.
  balance integer not null,
  reserved integer not null default 0,
  granted integer not null,
  spent integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_grant integer not null default 0,
  constraint credit_balance_never_negative check (balance >= 0),
  constraint credit_reserved_within_balance check (reserved >= 0 and reserved <= balance),
  constraint credit_sums_agree check (balance = (granted - spent))
);

create table credit_ledger (
  id text primary key,
  account_id text not null references credit_accounts(account_id),
  amount integer not null,
  reason text not null,
  content_id text,
  request_id text,
  -- Why an operator granted credits (an invoice, a ticket): the same reference is granted once, whatever is
  -- repeated.
  reference text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint credit_charge_names_content check (reason <> 'generation' or (content_id is not null and amount = -1)),
  constraint credit_grant_is_positive check (reason <> 'grant' or amount > 0),
  constraint credit_reason_known check (reason in ('grant', 'generation')),
  constraint credit_reference_of_a_grant check ((reference is null or (reason = 'grant' and (reference ~ '\S'))))
);

create index credit_ledger_newest on credit_ledger (account_id, created_at desc, id desc);
-- One charge per content, whatever is retried.
create unique index credit_one_charge_per_content on credit_ledger (content_id) where reason = 'generation';
create unique index credit_one_grant_per_reference on credit_ledger (reference) where reference is not null;
-- Whose ledger changed lately: the drift gauge checks those accounts.
create index credit_ledger_by_age on credit_ledger (created_at);

-- A credit set aside before the work. It ends as a charge or is given back; one that outlives its lease
-- belongs to work that died and is given back by the reaper.
create table credit_reservations (
  content_id text primary key,
  account_id text not null references credit_accounts(account_id),
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

-- The files of the image store, by the SHA-256 of their bytes. A generation writes its rows before it stores
-- the files.
create table slide_files (
  digest bytea primary key,
  -- When the reaper next checks whether a content still needs the file.
  look_at timestamptz not null,
  -- The file that a thumbnail was made of.
  thumbnail_of bytea,
  -- Which reaper deletes the file at the store, and until when nobody stores it again.
  delete_holder text,
  delete_lease_until timestamptz
);

create index slide_files_due on slide_files (look_at);
-- The thumbnails of a file.
create index slide_files_of_thumbnail on slide_files (thumbnail_of) where thumbnail_of is not null;

-- When an account's edits drew slides: at most the stamps of the last minute, newest last.
create table edit_draws (
  account_id text primary key,
  stamps timestamptz(3)[] not null
);

-- Pages of the real stores, read once for all accounts. `language` is '' where the address names none.
create table store_listings (
  store text not null,
  store_id text not null,
  country text not null,
  language text not null,
  listing jsonb not null,
  fetched_at timestamptz(3) not null,
  primary key (store, store_id, country, language)
);

create index store_listings_by_age on store_listings (fetched_at);

-- When each real store may be asked next, by the database's clock.
create table store_turns (
  store text primary key,
  next_at timestamptz not null
);

-- Schedules by their last event. An app with a waiting one is not deleted.
create table known_schedules (
  schedule_id text primary key,
  content_id text not null,
  is_waiting boolean not null,
  sequence bigint not null,
  updated_at timestamptz(3) not null
);

create index known_schedules_waiting on known_schedules (content_id) where is_waiting;
create index known_schedules_over on known_schedules (updated_at) where not is_waiting;
-- For the deletion of a workspace.
create index known_schedules_of_content on known_schedules (content_id);

-- Pictures of an app: uploaded, or the screenshots of its store page. The files are in the image store.
create table pictures (
  id text primary key,
  account_id text not null,
  app_id text not null references apps(id),
  kind text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  content_type text not null,
  digest bytea not null,
  -- Where a screenshot was fetched.
  source_url text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Who added the picture without the right to approve, and when; null once it was reviewed.
  unreviewed jsonb,
  constraint picture_kind_known check (kind in ('upload', 'screenshot', 'slide', 'icon')),
  constraint picture_of_page_has_source check ((kind in ('upload', 'slide')) = (source_url is null))
);

create index pictures_of_app on pictures (app_id, created_at desc, id desc);
create unique index pictures_one_per_source on pictures (app_id, source_url) where source_url is not null;
create index pictures_by_digest on pictures (digest);

-- Screenshots that are still to be fetched.
create table wanted_screenshots (
  app_id text not null references apps(id),
  source_url text not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Accounts take turns: the first screenshot of each, then the second of each.
  turn bigint not null default 0,
  primary key (app_id, source_url)
);

create index wanted_screenshots_due on wanted_screenshots (due_at);
create index wanted_screenshots_by_turn on wanted_screenshots (turn, due_at);

-- What no other table keeps: edits, and what became of the schedules. Made, charged, decided and sent are
-- read where they are written.
create table content_timeline (
  content_id text not null,
  at timestamptz(3) not null,
  what text not null,
  made_by jsonb,
  version integer,
  schedule_id text,
  detail text
);

create index content_timeline_by_content on content_timeline (content_id, at);

create table comments (
  id text primary key,
  content_id text not null references contents(id),
  version integer not null,
  -- Null: on the whole deck.
  slide integer,
  text text not null,
  -- { kind, id, name }
  made_by jsonb,
  created_at timestamptz(3) not null
);

create index comments_newest on comments (content_id, created_at desc, id desc);

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

-- A workspace without a row uses the installation's model.
create table text_models (
  account_id text primary key,
  -- Null: the installation's model, of which the row keeps the last test.
  provider text,
  model text,
  base_url text,
  key_sealed text,
  -- { at, ok, milliseconds, message }
  last_test jsonb,
  -- False: results of earlier decks choose nothing.
  learns boolean not null default true,
  updated_at timestamptz(3) not null,
  constraint text_model_is_whole check (num_nonnulls(provider, model, base_url) in (0, 3)),
  constraint text_model_key_has_provider check (key_sealed is null or provider is not null)
);
