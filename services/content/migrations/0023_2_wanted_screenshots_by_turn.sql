-- additive, no transaction
create index concurrently if not exists wanted_screenshots_by_turn on wanted_screenshots (turn, due_at);
