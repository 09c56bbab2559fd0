-- additive
-- Whether the endpoint was disabled or deleted with more pending deliveries than one transaction ends. They
-- are not claimed, and a worker ends the rest. Replicas of the version before end all of them at once,
-- leave it false, and do not look at it: during a rollout they may still deliver to such an endpoint.
alter table webhooks add column ends_deliveries boolean not null default false;
