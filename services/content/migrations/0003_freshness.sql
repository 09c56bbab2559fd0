-- additive
-- The deck of the app that has most in common with this one, and how much: { nearestContentId, overlap }.
alter table contents add column freshness jsonb;
