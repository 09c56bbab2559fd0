/** The channels of `notify` in this schema, by what a notification means. */
export const channels = {
  /** The next slot of an automation changed. */
  plans: 'automation_plan',
  /** A delivery is due. */
  deliveries: 'automation_deliveries',
  /** An endpoint changed: what is claimed for it may be stale. */
  webhooks: 'automation_webhooks',
} as const;
