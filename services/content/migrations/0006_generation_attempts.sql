-- additive
-- How often a worker took the content to generate it: one that never ends must not be taken for ever.
alter table contents add column attempts integer not null default 0;
