-- additive
-- Changes of the name, the listing and the brand by callers who may not approve them: a list, one entry an item.
alter table apps add column unreviewed jsonb not null default '[]';
-- The same of a picture; null once it was reviewed.
alter table pictures add column unreviewed jsonb;
-- What the current version shows of the app: values of its brand, and pictures.
alter table contents add column shown jsonb;
