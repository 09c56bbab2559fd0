-- additive
-- Who did what in a workspace. Rows are never changed; `position` is in the order of the commits of an account.
create table audit_events (
  id text primary key,
  account_id text not null,
  position bigint generated always as identity,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  action text not null,
  subject_kind text not null,
  subject_id text,
  address text,
  request_id text,
  detail jsonb not null
);

create index audit_events_of_account on audit_events (account_id, position);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;

create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_audit_change();
