-- contract, no transaction
drop index concurrently if exists contents_words;
