export const channels = {
  /** The next slot of an automation changed. */
  plans: 'automation_plan',
  /** A delivery is due. */
  deliveries: 'automation_deliveries',
  /** The endpoint of this id changed: claimed deliveries of it may be stale. */
  webhooks: 'automation_webhooks',
} as const;
