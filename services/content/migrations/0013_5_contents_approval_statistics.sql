-- additive
-- Nearly all contents are decided in one account and none in another. With the columns counted one by one the planner
-- takes the two for equal, and reads everything that is ready to find the few that wait.
create statistics contents_approval (mcv) on account_id, status, approval_status from contents;
