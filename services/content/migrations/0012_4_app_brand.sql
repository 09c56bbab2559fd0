-- additive
-- Colours, typefaces, handle, logo, voice and avoided words of an app; null: none was set.
alter table apps add column brand jsonb;
