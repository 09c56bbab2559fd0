-- additive
-- `unreviewed_since` of the app that the content was made from. Approving the content is a look at that state
-- and no other. Null if the app had no mark, and in rows of earlier versions: those end no mark, so after an
-- upgrade a marked app waits until a deck that is made since is approved.
alter table contents add column app_unreviewed_since timestamptz;
