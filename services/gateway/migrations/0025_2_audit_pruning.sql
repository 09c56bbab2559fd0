-- additive
-- Rows of the audit log are never changed, and none of the last 90 days is deleted. AUDIT_RETENTION_DAYS is at least that.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '90 days' then return old; end if;
  raise exception 'the audit log is append-only';
end $$;
