/** The topics of the bus. Dead letters go to `<topic>.dlq`. */
export const topics = [
  'content.jobs',
  'content.approvals',
  'scheduling.schedules',
  'scheduling.accounts',
  'automation.firings',
  'automation.webhooks',
  'analytics.lessons',
] as const;
export type Topic = (typeof topics)[number];
