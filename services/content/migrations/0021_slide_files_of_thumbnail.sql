-- additive, no transaction
-- The thumbnails of a file.
create index concurrently if not exists slide_files_of_thumbnail on slide_files (thumbnail_of) where thumbnail_of is not null;
