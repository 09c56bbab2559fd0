-- additive
-- The last change of an app by a caller who may not approve content; null once somebody who may has looked at it.
alter table apps add column unreviewed_since timestamptz;
-- Why the content of an automation that approves automatically waits for a person; null if it does not.
alter table contents add column waits_because text;
