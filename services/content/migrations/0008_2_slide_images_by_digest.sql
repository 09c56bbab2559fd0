-- additive, no transaction
-- Which contents need a file of the image store.
create index concurrently if not exists slide_images_by_digest on slide_images (digest);
