// Made by "npm run generate" from packages/shared/src/contracts: change it there.
import type { CreateKey, Member } from './types.ts';

/**
 * What each role may do in a workspace. A key has at most the scopes of its creator's role;
 * viewers create none.
 */
export const scopesByRole: Readonly<Record<Member['role'], Readonly<CreateKey['scopes']>>> = {
  owner: [
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
  ],
  approver: [
    'apps:read',
    'content:read',
    'automations:read',
    'schedules:read',
    'analytics:read',
    'credits:read',
    'apps:write',
    'content:write',
    'schedules:write',
    'content:approve',
    'schedules:publish',
    'automations:write',
  ],
  editor: [
    'apps:read',
    'content:read',
    'automations:read',
    'schedules:read',
    'analytics:read',
    'credits:read',
    'apps:write',
    'content:write',
    'schedules:write',
  ],
  viewer: [
    'apps:read',
    'content:read',
    'automations:read',
    'schedules:read',
    'analytics:read',
    'credits:read',
  ],
};
