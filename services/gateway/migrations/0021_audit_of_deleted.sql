-- additive
-- The audit log stays append-only but for a workspace that is deleted: its transaction names it.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.account_id = current_setting('hookline.deleted_workspace', true) then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
