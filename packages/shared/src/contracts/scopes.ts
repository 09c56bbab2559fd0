/** The scopes of API-5. */
export const scopes = [
  'apps:read',
  'apps:write',
  'content:read',
  'content:write',
  'content:approve',
  'automations:read',
  'automations:write',
  'schedules:read',
  'schedules:write',
  'schedules:publish',
  'analytics:read',
  'credits:read',
  'webhooks:write',
] as const;

export type Scope = (typeof scopes)[number];

/** What a member of a workspace may do, from everything to reading. */
export const roles = ['owner', 'approver', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

const reading = scopes.filter(scope => scope.endsWith(':read'));
const editing: readonly Scope[] = [...reading, 'apps:write', 'content:write', 'schedules:write'];
const approving: readonly Scope[] = [...editing, 'content:approve', 'schedules:publish', 'automations:write'];

/** What each role may do. A key has at most the scopes of its creator's role. */
export const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  approver: approving,
  editor: editing,
  viewer: reading,
};

export const serviceNames = ['gateway', 'content', 'scheduling', 'automation', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];
