/** What each role of a workspace may do. Roles are sets of scopes, so that there is one mechanism. */
import { type Role, type Scope, scopes } from '@hookline/shared/contracts/scopes';

const reading = scopes.filter(scope => scope.endsWith(':read'));
const editing: readonly Scope[] = [...reading, 'apps:write', 'content:write', 'schedules:write'];
const approving: readonly Scope[] = [...editing, 'content:approve', 'schedules:publish', 'automations:write'];

const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  approver: approving,
  editor: editing,
  viewer: reading,
};

export function scopesOfRole(role: Role): readonly Scope[] {
  return scopesByRole[role];
}

/** The scopes of a key that its creator's role still has. */
export function effectiveScopes(scopesOfKey: readonly Scope[], role: Role): Scope[] {
  return scopesOfKey.filter(scope => scopesByRole[role].includes(scope));
}
