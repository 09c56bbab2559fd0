/** SQL for `key_ids`: the keys that made or changed an automation, a webhook or a schedule. */

/** Keys that one record remembers; the oldest is dropped. */
const keysMax = 100;

/**
 * The new value of `key_ids` after a change by a key.
 * @param parameter the placeholder of its id, which may be null
 */
export function withKey(parameter: string): string {
  return `case when ${parameter}::text is null or ${parameter}::text = any (key_ids) then key_ids
    else (key_ids || ${parameter}::text)[greatest(1, cardinality(key_ids) - ${keysMax - 2}):] end`;
}
