/** Schemas of the services that publish events: each has its own outbox. */
export const outboxSchemas: readonly string[] = ['content', 'scheduling', 'automation', 'analytics'];
