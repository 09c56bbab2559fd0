-- contract, no transaction
drop index concurrently if exists decks_measured_sum;
