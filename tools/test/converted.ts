/** Services whose rooms keep to the walls between them. */
export const converted: readonly string[] = ['analytics', 'automation', 'content', 'gateway', 'scheduling'];
