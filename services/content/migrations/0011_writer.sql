-- additive
-- Who wrote the texts: { kind, name, repaired }. Null in rows of earlier versions.
alter table contents add column writer jsonb;
