-- additive
-- Snapshots stay append-only but for a workspace that is deleted: its transaction names it.
create or replace function refuse_snapshot_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and coalesce(current_setting('hookline.deleted_workspace', true), '') <> '' then
    return old;
  end if;
  raise exception 'metric_snapshots is append-only';
end $$;
