-- additive
-- The files of the image store, by the SHA-256 of their bytes. A generation writes its rows before it stores the files.
create table slide_files (
  digest bytea primary key,
  -- When the reaper next checks whether a content still needs the file.
  look_at timestamptz not null
);

create index slide_files_due on slide_files (look_at);

-- Files that exist already are first checked within the next week, spread over it.
insert into slide_files (digest, look_at)
select digest, now() + interval '1 day' + random() * interval '7 days' from slide_images group by digest;
