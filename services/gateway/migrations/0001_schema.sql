-- additive
create table users (
  id text primary key,
  -- The tenant: one user owns one account, and its id never shows.
  account_id text not null,
  email text not null,
  name text,
  password_hash text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- False: a person who was invited; no workspace is made for the account id.
  owns_workspace boolean not null default true,
  -- It is null while nobody has proven that the address is theirs.
  email_verified_at timestamptz(3),
  -- When the person was last mailed that sign-ins are slowed down; null: never.
  slowed_mail_at timestamptz(3),
  constraint users_account_unique unique (account_id)
);

create unique index users_email_unique on users (lower(email));

-- WebAuthn credentials with which people sign in. Challenges that were answered are in `oidc_used_states`.
create table passkeys (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  credential_id bytea not null,
  -- SubjectPublicKeyInfo in DER.
  public_key bytea not null,
  -- The last count of the authenticator; 0: it does not count.
  sign_count bigint not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  constraint passkeys_credential_unique unique (credential_id)
);

create index passkeys_of_user on passkeys (user_id);

-- Codes that take the place of a passkey, as SHA-256. A row is deleted when its code was used.
create table recovery_codes (
  user_id text not null references users(id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table sessions (
  id text primary key,
  user_id text not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- The workspace that the session works in; null: the user's own.
  entered_account_id text,
  -- What opened the session, and when it was last used.
  client text,
  last_used_at timestamptz(3),
  constraint sessions_token_unique unique (token_hash)
);

create index sessions_of_user on sessions (user_id);

-- One row per failed sign-in of the last 15 minutes, unknown addresses included; the address stands hashed.
create table sign_in_failures (
  id bigint generated always as identity primary key,
  email_hash bytea not null,
  failed_at timestamptz(3) not null,
  -- Digest of the e-mail address and the network address that tried.
  pair_hash bytea
);

create index sign_in_failures_of_email on sign_in_failures (email_hash, failed_at);
create index sign_in_failures_oldest on sign_in_failures (failed_at);
-- How often a pair failed in the last 15 minutes, newest first.
create index sign_in_failures_of_pair on sign_in_failures (pair_hash, failed_at);

create table api_keys (
  id text primary key,
  account_id text not null,
  name text not null,
  prefix text not null,
  -- SHA-256 of the whole key; the key itself is stored nowhere.
  key_hash bytea not null,
  scopes text[] not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Who minted the key.
  created_by text,
  constraint api_keys_hash_is_sha256 check (octet_length(key_hash) = 32),
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_scopes_given check (cardinality(scopes) > 0)
);

create index api_keys_newest on api_keys (account_id, created_at desc, id desc);
-- The keys that a member minted in a workspace.
create index api_keys_of_creator on api_keys (account_id, created_by, created_at desc, id desc);

-- Users that an OIDC issuer vouches for. Apart from `users`: they have no password, perhaps no address, and
-- an address that somebody else registered proves nothing.
create table oidc_users (
  id text primary key,
  account_id text not null,
  issuer text not null,
  subject text not null,
  email text,
  name text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The user with a password whom the identity signs in; null: the identity is a person of its own. No
  -- foreign key, which would lock `users`; the trigger deletes what is linked.
  linked_user_id text,
  -- False: a person who was invited, or a linked identity; the trigger makes no workspace for the account id.
  owns_workspace boolean not null default true,
  -- The address that the issuer last said is verified; null: none.
  proven_email text,
  constraint oidc_users_account_unique unique (account_id),
  constraint oidc_users_subject_unique unique (issuer, subject)
);

-- At most one identity per user: an address that the issuer gave to somebody else does not reach its former
-- holder.
create unique index oidc_users_linked_once on oidc_users (linked_user_id) where linked_user_id is not null;

create table idempotency_keys (
  account_id text not null,
  route text not null,
  key text not null,
  body_digest bytea not null,
  -- The id that the work was given when the key was claimed: the same after a crash and a second try.
  resource_id text not null,
  state text not null default 'running',
  locked_until timestamptz not null,
  response_status integer,
  response_body text,
  created_at timestamptz not null default now(),
  primary key (account_id, route, key),
  constraint idempotency_done_has_reply check (state = 'running' or response_body is not null),
  constraint idempotency_state_known check (state in ('running', 'done'))
);

create index idempotency_keys_created_at on idempotency_keys (created_at);

-- From where a user signed in before: the newest 20.
create table sign_in_addresses (
  pair_hash bytea primary key,
  user_id text not null references users(id) on delete cascade,
  used_at timestamptz(3) not null
);

create index sign_in_addresses_of_user on sign_in_addresses (user_id, used_at);

-- The tenant, under the account id that every service knows. Its public id is made of the same characters.
create table workspaces (
  account_id text primary key,
  name text not null,
  timezone text not null default 'UTC',
  approvers text not null default 'anyone_with_scope',
  requires_version boolean not null default false,
  post_texts text not null default 'approved_only',
  self_approval boolean not null default true,
  -- An owner has stopped every post; scheduling knows it too.
  sending_paused boolean not null default false,
  -- When scheduling was last asked to pause or resume the posts of the workspace; null: both are known to agree.
  sending_asked_at timestamptz(3),
  -- When its week is mailed next; -infinity: no time was set yet.
  week_mail_at timestamptz(3) not null default '-infinity',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint workspaces_approvers_known check (approvers in ('anyone_with_scope', 'people_only')),
  constraint workspaces_post_texts_known check (post_texts in ('open', 'approved_only'))
);

create index workspaces_week_mail on workspaces (week_mail_at);
create index workspaces_sending_asked on workspaces (sending_asked_at) where sending_asked_at is not null;

-- A user of `users` or of `oidc_users`.
create table members (
  account_id text not null references workspaces(account_id) on delete cascade,
  user_id text not null,
  role text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the member is mailed that content waits for approval: off, instant or daily; and when the last such
  -- mail went out.
  decks_waiting text not null default 'off',
  decks_mailed_at timestamptz(3),
  -- Whether an owner is mailed what a week brought.
  weekly_mail boolean not null default true,
  -- Whether somebody who may post is mailed that a post is due on a phone.
  due_mail boolean not null default true,
  -- What the member is told by notifications of a browser.
  push_kinds text[] not null default '{decks_waiting,link_decided,post_due,post_failed,account_reconnect}',
  primary key (account_id, user_id),
  constraint members_role_known check (role in ('owner', 'approver', 'editor', 'viewer'))
);

create index members_newest on members (account_id, created_at desc, user_id desc);
create index members_of_user on members (user_id, created_at);

-- Who did what in a workspace. Rows are never changed; `position` is in the order of the commits of an
-- account.
create table audit_events (
  id text primary key,
  account_id text not null,
  position bigint generated always as identity not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  -- Its index finds the beginning of an action, too.
  action text collate "C" not null,
  subject_kind text not null,
  subject_id text,
  address text,
  request_id text,
  detail jsonb not null
);

create index audit_events_of_account on audit_events (account_id, "position");
-- A filter that few rows pass must not read all the others.
create index audit_events_by_action on audit_events (account_id, action, "position");
create index audit_events_by_actor on audit_events (account_id, actor_id, "position");
-- For pruning by age.
create index audit_events_oldest on audit_events (at);

create table invitations (
  id text primary key,
  account_id text not null references workspaces(account_id) on delete cascade,
  email text not null,
  role text not null,
  invited_by text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint invitations_role_known check (role in ('owner', 'approver', 'editor', 'viewer'))
);

create index invitations_newest on invitations (account_id, created_at desc, id desc);
create unique index invitations_email_unique on invitations (account_id, lower(email));

-- Links that show one version of a content to somebody without an account.
create table review_links (
  id text primary key,
  account_id text not null,
  content_id text not null,
  version integer not null,
  may_decide boolean not null,
  -- The person or key that made it: { kind, id, name }.
  created_by jsonb not null,
  -- That person, or whoever minted the key.
  member_id text not null,
  -- SHA-256.
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  foreign key (account_id, member_id) references members on delete cascade
);

create index review_links_newest on review_links (account_id, content_id, created_at desc, id desc);
create index review_links_of_member on review_links (account_id, member_id);
create index review_links_expires on review_links (expires_at);

-- Links that prove something once. The token is stored as SHA-256; a subject may have several until one is
-- used.
create table one_time_links (
  token_hash bytea primary key,
  kind text not null,
  -- An invitation or a user.
  subject_id text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- True: the link was sent to the address and nowhere else, so whoever has it has the mailbox.
  mailed boolean not null default false,
  constraint one_time_links_kind_known check (kind in ('invitation', 'password_reset', 'email_verification'))
);

create index one_time_links_of_subject on one_time_links (subject_id, created_at);
create index one_time_links_oldest on one_time_links (expires_at);

-- Mails to send. A row is deleted when its mail was sent or given up; the token of its link is made for each
-- attempt.
create table mails (
  id text primary key,
  kind text not null,
  recipient text not null,
  subject_id text not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  -- When the same mail was last asked for, while it waited or was being sent.
  asked_at timestamptz(3),
  -- How many things it tells of, and what it says of the first of them.
  facts integer not null default 1,
  lines text[] not null default '{}',
  constraint mails_kind_known check (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'decks_waiting', 'nothing_new', 'post_due', 'post_failed', 'account_reconnect', 'credits_low', 'week', 'sign_in_changed', 'link_decided'))
);

create index mails_due on mails (due_at, id);
-- Mails that somebody waits for are sent before all others.
-- The list must be the one of the query, or no claim uses the index.
create index mails_awaited_first on mails (
  (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed', 'sign_in_changed', 'post_due')) desc,
  due_at, id);
create unique index mails_waiting_once on mails (kind, lower(recipient), subject_id);

-- Where the browser of a session takes notifications, and with which keys they are sealed.
create table push_subscriptions (
  session_id text primary key references sessions(id) on delete cascade,
  endpoint text not null,
  p256dh bytea not null,
  auth bytea not null,
  created_at timestamptz(3) not null,
  constraint push_subscriptions_endpoint_unique unique (endpoint)
);

-- Notifications to send. A row is deleted when it was sent or given up.
create table pushes (
  id bigint generated always as identity primary key,
  session_id text not null references push_subscriptions(session_id) on delete cascade,
  account_id text not null,
  kind text not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  constraint pushes_waiting_once unique (session_id, account_id, kind)
);

create index pushes_due on pushes (due_at, id);

-- The key pair by which push services know this installation, made with its first start and sealed.
create table push_keys (
  only_one boolean primary key default true,
  sealed text not null,
  constraint push_keys_only_one check (only_one)
);

-- Resources that requests changed and of which no event tells, for the streams of browsers: one row per
-- resource with its newest change. Positions are given out one transaction after the other, so whoever has
-- read one has read all before it.
create table changes (
  account_id text not null,
  kind text not null,
  -- Empty where the request did not name it.
  resource_id text not null,
  position bigint generated always as identity not null,
  changed_at timestamptz(3) not null,
  primary key (account_id, kind, resource_id)
);

create unique index changes_position_unique on changes (account_id, "position");
create index changes_oldest on changes (changed_at);

-- Sign-ins that came back from the issuer, by the SHA-256 of their state: each is accepted once, whichever
-- gateway it reaches. Kept until the state would have expired anyway.
create table oidc_used_states (
  state_hash bytea primary key,
  expires_at timestamptz(3) not null
);

create index oidc_used_states_oldest on oidc_used_states (expires_at);

-- Requested deletions. The row stays after the workspace is gone, as evidence of the deletion.
create table workspace_deletions (
  account_id text primary key,
  -- open: restored. frozen: waits for delete_at. deleted: the owners are deleting, or have deleted.
  standing text not null,
  -- Raised with every change of the standing; the owners ignore a lower one.
  revision integer not null,
  requested_by text,
  requested_at timestamptz(3) not null,
  delete_at timestamptz(3) not null,
  begun_at timestamptz(3),
  -- The rows of the gateway are gone too.
  ended_at timestamptz(3),
  constraint workspace_deletion_standing_known check (standing in ('open', 'frozen', 'deleted'))
);

create index workspace_deletions_due on workspace_deletions (delete_at) where standing = 'frozen';
create index workspace_deletions_begun on workspace_deletions (begun_at) where standing = 'deleted' and ended_at is null;

-- One row per service that keeps data of the workspace.
create table workspace_deletion_parts (
  account_id text not null references workspace_deletions(account_id) on delete cascade,
  service text not null,
  -- When the service is called next, or when the lease of a call ends; null: it has confirmed all.
  due_at timestamptz(3),
  attempts integer not null default 0,
  -- When the service first confirmed that the rows are gone. They are deleted once more a day later.
  deleted_at timestamptz(3),
  -- The last error, or what the service could not do.
  note text,
  primary key (account_id, service)
);

create index workspace_deletion_parts_due on workspace_deletion_parts (due_at) where due_at is not null;

-- Exports of workspaces: permission to download the archive until it expires. The archive is written while it
-- is read.
create table workspace_exports (
  id text primary key,
  account_id text not null,
  requested_by text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index workspace_exports_of_account on workspace_exports (account_id, created_at);
create index workspace_exports_expired on workspace_exports (expires_at);

-- Events of the other services that were handled, as in their schemas (packages/shared/migrations/messaging).
create table inbox (
  consumer text not null,
  event_id text not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- For pruning by age.
create index inbox_received_at on inbox (received_at);

-- Clients that registered themselves (RFC 7591). A client that is named by the address of its document has no
-- row.
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  -- Moves on with every authorization and every refresh.
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

create index oauth_clients_oldest on oauth_clients (expires_at);

-- Authorization codes. A used one stays until it is pruned: a second use ends the grant that the first one
-- made.
create table oauth_codes (
  code_hash bytea primary key,
  client_id text not null,
  redirect_uri text not null,
  -- S256 of the verifier, as the client sent it.
  challenge text not null,
  account_id text not null references workspaces(account_id) on delete cascade,
  user_id text not null,
  -- The name of the key that the grant gets.
  name text not null,
  scopes text[] not null,
  key_id text,
  expires_at timestamptz(3) not null,
  constraint oauth_codes_hash_is_sha256 check (octet_length(code_hash) = 32),
  constraint oauth_codes_scopes_given check (cardinality(scopes) > 0)
);

create index oauth_codes_oldest on oauth_codes (expires_at);
create index oauth_codes_of_account on oauth_codes (account_id);

-- What a person granted to a client: a key that nobody has the text of, and the tokens that stand for it at
-- POST /mcp.
create table oauth_grants (
  key_id text primary key references api_keys(id) on delete cascade,
  client_id text not null,
  -- SHA-256 of the two parts of the refresh token: the one that stays and the one that each refresh replaces.
  family_hash bytea not null,
  refresh_hash bytea not null,
  access_hash bytea not null,
  access_expires_at timestamptz(3) not null,
  -- SHA-256 of the part of the refresh token that the last refresh replaced, and when it did.
  replaced_hash bytea,
  replaced_at timestamptz(3),
  -- Random bytes. The present tokens follow from them and that part, of which only the client has the text.
  salt bytea,
  constraint oauth_grants_access_unique unique (access_hash),
  constraint oauth_grants_family_unique unique (family_hash)
);

-- Mails with invitations of the last day, which outlive the invitations. The recipient is the SHA-256 of the
-- address.
create table invitation_mails (
  id bigint generated always as identity primary key,
  recipient_hash bytea not null,
  account_id text not null,
  sent_at timestamptz(3) not null
);

create index invitation_mails_of_recipient on invitation_mails (recipient_hash, sent_at);
create index invitation_mails_of_account on invitation_mails (account_id, sent_at);
create index invitation_mails_oldest on invitation_mails (sent_at);

create function delete_access_of_user() returns trigger language plpgsql set search_path from current as $$
begin
  delete from sessions where user_id = old.id;
  delete from oidc_users where linked_user_id = old.id;
  return null;
end $$;

-- A user with a workspace of their own owns it.
create function make_own_workspace() returns trigger language plpgsql set search_path from current as $$
begin
  if (to_jsonb(new) ->> 'owns_workspace') is distinct from 'false' then
    insert into workspaces (account_id, name, created_at, updated_at)
      values (new.account_id, coalesce(new.name, nullif(split_part(new.email, '@', 1), ''), 'Workspace'),
              new.created_at, new.created_at)
      on conflict do nothing;
    insert into members (account_id, user_id, role, created_at, updated_at)
      values (new.account_id, new.id, 'owner', new.created_at, new.created_at)
      on conflict do nothing;
  end if;
  return null;
end $$;

-- The audit log stays append-only but for a workspace that is deleted: its transaction names it.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (
    old.at < now() - interval '90 days' or old.account_id = current_setting('hookline.deleted_workspace', true)
  ) then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;

create trigger users_delete_access after delete on users
  for each row execute function delete_access_of_user();
create trigger users_make_own_workspace after insert on users
  for each row execute function make_own_workspace();
create trigger oidc_users_delete_access after delete on oidc_users
  for each row execute function delete_access_of_user();
create trigger oidc_users_make_own_workspace after insert on oidc_users
  for each row execute function make_own_workspace();
create trigger audit_events_append_only before delete or update on audit_events
  for each row execute function refuse_audit_change();
