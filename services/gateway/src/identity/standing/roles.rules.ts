import { type Role, type Scope, scopesByRole } from '@hookline/shared/contracts/scopes';

export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesByRole[role];
}

export function effectiveScopes(scopesOfKey: readonly Scope[], role: Role): Scope[] {
  return scopesOfKey.filter(scope => scopesByRole[role].includes(scope));
}
