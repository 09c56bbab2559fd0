-- What POST /content asks of Postgres: the two transactions of one plain slideshow, of an account at random.
\set n random(1, 9000000000000000)
\set a random(1, :accounts)
begin;
insert into idempotency_keys (account_id, route, key, body_digest, resource_id, locked_until)
  select account_id, 'createContent', 'bench' || :n, '\x00', 'content_' || :n, now() from bench_samples where n = :a;
select apps.* from apps join bench_samples s on s.app_id = apps.id where s.n = :a;
with counted as (
  insert into daily_generations as d (account_id, day, used) select account_id, current_date, 1 from bench_samples where n = :a
  on conflict (account_id, day) do update set used = d.used + 1 returning account_id
), held as (
  update credit_accounts a set reserved = a.reserved + 1 from counted where a.account_id = counted.account_id returning a.account_id
)
insert into credit_reservations (content_id, account_id, day, expires_at) select 'content_' || :n, account_id, current_date, now() from held;
commit;
begin;
update idempotency_keys k set state = 'done', response_status = 201, response_body = s.reply
  from bench_samples s where s.n = :a and k.account_id = s.account_id and k.route = 'createContent' and k.key = 'bench' || :n;
with held as (
  delete from credit_reservations where content_id = 'content_' || :n returning account_id
), paid as (
  update credit_accounts a set balance = a.balance - 1, reserved = a.reserved - 1, spent = a.spent + 1
  from held where a.account_id = held.account_id returning a.account_id
)
insert into credit_ledger (id, account_id, amount, reason, content_id, created_at, updated_at)
  select 'credit_' || :n, account_id, -1, 'generation', 'content_' || :n, now(), now() from paid;
insert into contents select c.* from bench_samples s,
  jsonb_populate_record(s.content, jsonb_build_object('id', 'content_' || :n)) c where s.n = :a;
insert into event_sequences (resource, sequence) values ('bench' || :n, 1);
insert into outbox (event_id, topic, key, payload, headers)
  select 'event_' || :n, topic, 'content_' || :n, payload, headers from bench_samples where n = :a;
commit;
