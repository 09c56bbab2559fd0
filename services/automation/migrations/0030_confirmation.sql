-- additive
-- Who last changed the brief, who else confirmed it, and whether the approval policy asks for that.
alter table automations
  add column author_id text,
  add column confirmed_by jsonb,
  add column awaits_confirmation boolean not null default false;
