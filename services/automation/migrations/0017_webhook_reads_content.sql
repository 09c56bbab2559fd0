-- additive
-- Whether the key that set the address may read content. Without it, events carry the id of the content alone.
-- Endpoints that exist keep what they were given.
alter table webhooks add column reads_content boolean not null default true;
-- Replicas of the version before do not name the column: what they register gets the id alone.
alter table webhooks alter column reads_content set default false;
