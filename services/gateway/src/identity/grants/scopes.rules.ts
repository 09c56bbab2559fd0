import { type Role, type Scope, scopes } from '@hookline/shared/contracts/scopes';
import { scopesOfRole } from '../standing/roles.rules.ts';

/**
 * What a client can be granted. Approving is not among it, whatever the person may do: nothing that a client
 * sends proves that a person looked at the deck.
 */
export const grantableScopes: readonly Scope[] = scopes.filter(scope => scope !== 'content:approve');

/** Granted only if the person says so: with it a client posts without a further look. */
export const optionalScopes: readonly Scope[] = ['schedules:publish'];

/**
 * The scopes that a person can grant of those asked for. A client that asks for none gets what the role has;
 * unknown ones (`offline_access`) are left out, and the answer of the token endpoint names what was granted.
 */
export function offeredScopes(asked: string | undefined, role: Role): Scope[] {
  const wanted = new Set(asked?.split(' ').filter(Boolean));
  const held = grantableScopes.filter(scope => scopesOfRole(role).includes(scope));
  return wanted.size === 0 ? held : held.filter(scope => wanted.has(scope));
}
