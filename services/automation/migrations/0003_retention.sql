-- additive
-- What retention looks for.
create index firings_ended on firings (created_at) where status in ('done', 'failed', 'skipped');
