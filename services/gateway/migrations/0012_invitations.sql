-- additive
create table invitations (
  id text primary key,
  account_id text not null references workspaces (account_id) on delete cascade,
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

-- Links that prove something once. The token is stored as SHA-256; a subject may have several until one is used.
create table one_time_links (
  token_hash bytea primary key,
  kind text not null,
  -- An invitation or a user.
  subject_id text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  constraint one_time_links_kind_known check (kind in ('invitation', 'password_reset', 'email_verification'))
);

create index one_time_links_of_subject on one_time_links (subject_id, created_at);
create index one_time_links_oldest on one_time_links (expires_at);

-- What opened the session, and when it was last used.
alter table sessions add column client text;
alter table sessions add column last_used_at timestamptz(3);

-- Null: nobody has proven that the address is theirs.
alter table users add column email_verified_at timestamptz(3);

-- Mails to send. A row is deleted when its mail was sent or given up; the token of its link is made for each attempt.
create table mails (
  id text primary key,
  kind text not null,
  recipient text not null,
  subject_id text not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  constraint mails_kind_known check (kind in ('invitation', 'password_reset', 'email_verification', 'sign_in_slowed'))
);

create index mails_due on mails (due_at, id);
create unique index mails_waiting_once on mails (kind, lower(recipient), subject_id);
