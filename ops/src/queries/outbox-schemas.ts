/** Schemas of services that publish: each has an outbox of its own. */
export const outboxSchemas: readonly string[] = ['content', 'scheduling', 'automation', 'analytics'];
