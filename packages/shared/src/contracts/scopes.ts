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

export const serviceNames = ['gateway', 'content', 'scheduling', 'automation', 'analytics'] as const;
export type ServiceName = (typeof serviceNames)[number];
