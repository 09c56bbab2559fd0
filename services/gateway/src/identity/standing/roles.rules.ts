import { type Role, roles, type Scope, scopesByRole } from '@hookline/shared/contracts/scopes';

export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesByRole[role];
}

export function rolesWith(scope: Scope): Role[] {
  return roles.filter(role => scopesOfRole(role).includes(scope));
}

export function effectiveScopes(scopesOfKey: readonly Scope[], role: Role): Scope[] {
  return scopesOfKey.filter(scope => scopesByRole[role].includes(scope));
}
