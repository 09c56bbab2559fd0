-- additive, no transaction
-- Firings without an outcome, those first of which nothing was heard for longest.
create index concurrently if not exists firings_open on firings (updated_at, id)
  where status in ('fired', 'generated', 'awaiting_approval', 'scheduled');
