-- additive
-- Rows of the audit log are never changed. They are deleted in two cases only: older than 90 days (AUDIT_RETENTION_DAYS
-- is at least that), and of a workspace that is deleted, by a transaction that names it.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (
    old.at < now() - interval '90 days' or old.account_id = current_setting('hookline.deleted_workspace', true)
  ) then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
