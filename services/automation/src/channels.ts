export const channels = {
  /** The next slot of an automation changed. */
  plans: 'automation_plan',
  /** A delivery is due. */
  deliveries: 'automation_deliveries',
  /** An endpoint changed: claimed deliveries of it may be stale. */
  webhooks: 'automation_webhooks',
} as const;
