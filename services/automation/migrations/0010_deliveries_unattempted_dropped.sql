-- contract, no transaction
-- deliveries_unattempted_by_resource is asked instead.
drop index concurrently if exists deliveries_unattempted;
