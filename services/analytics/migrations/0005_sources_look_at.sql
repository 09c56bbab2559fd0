-- additive
-- Not before this is a post of the source's account due, so that the collector looks at few of very many sources.
alter table metric_sources add column look_at timestamptz(3) not null default '-infinity';
