-- additive
-- The sequence of an endpoint's webhook.disabled events under the name and the type of one. It takes the place of
-- times_disabled; the trigger keeps the two in step while processes of the version before count in the other.
alter table webhooks add column disabled_sequence bigint not null default 0;

create function keep_disabled_sequence() returns trigger language plpgsql as $$
begin
  if new.disabled_sequence <> old.disabled_sequence then
    new.times_disabled := new.disabled_sequence;
  elsif new.times_disabled <> old.times_disabled then
    new.disabled_sequence := new.times_disabled;
  end if;
  return new;
end $$;

create trigger webhooks_keep_disabled_sequence before update of times_disabled, disabled_sequence on webhooks
  for each row execute function keep_disabled_sequence();
