-- contract
-- The newest events on the bus are compared at each start, so no reading position is recorded.
drop table witnessed_offsets;
