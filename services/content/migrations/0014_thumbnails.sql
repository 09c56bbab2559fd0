-- additive
-- The file that a thumbnail was made of. The reaper of the version before deletes thumbnails: the next request makes them anew.
alter table slide_files add column thumbnail_of bytea;
