-- additive
-- Replicas of the version before take a waiting content at once, and fail it if what it needs is still away.
-- How often a queued content was put back because the image store or the text model was away. Not counted in
-- attempts. While it is queued, lease_until is the end of its pause, and waits_because says what it waits
-- for.
alter table contents add column waits integer not null default 0;
