import { type Role, type Scope, scopesByRole } from '@hookline/shared/contracts/scopes';

export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesByRole[role];
}

/** The scopes of a key that its creator's role still has. */
export function effectiveScopes(scopesOfKey: readonly Scope[], role: Role): Scope[] {
  return scopesOfKey.filter(scope => scopesByRole[role].includes(scope));
}
