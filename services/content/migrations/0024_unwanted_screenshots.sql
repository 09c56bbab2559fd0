-- additive
-- Screenshots of the store page that a person deleted: a refresh does not fetch them again.
alter table apps add column unwanted_screenshots text[] not null default '{}';
