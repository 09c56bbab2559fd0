/**
 * A condition on `id` for a statement that changes or deletes several rows. It locks them in the order of their ids, so
 * that two such statements at once do not deadlock.
 * @param table a name, and `condition` SQL, both written in code
 */
export const lockedInOrder = (table: string, condition: string): string =>
  `id = any (array(select id from ${table} where ${condition} order by id for update))`;
