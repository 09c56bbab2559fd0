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

export const serviceNames = ['gateway', 'content', 'scheduling', 'automation', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];
