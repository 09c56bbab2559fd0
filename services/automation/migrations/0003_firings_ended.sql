-- additive, no transaction
-- What retention looks for.
create index concurrently if not exists firings_ended on firings (created_at)
  where status in ('done', 'failed', 'skipped');
