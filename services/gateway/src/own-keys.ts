import { audienceOfKey } from '@hookline/shared/http';
import type { NamedKey } from '@hookline/shared/kernel';

/**
 * The keys that only gateways hold, newest first. Those of other services are left out, and those of one pair
 * (`gateway.to-content`): the receiver of a call holds its pair's key, too.
 * @param ring the signing keys
 */
export function ownKeys(ring: readonly NamedKey[]): NamedKey[] {
  return ring.filter(({ id }) => /^gateway(?:\.|$)/.test(id) && audienceOfKey(id) === null);
}
