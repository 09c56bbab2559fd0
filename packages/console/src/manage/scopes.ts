import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Role } from '../types.ts';

const reads: readonly Scope[] = [
  'apps:read',
  'content:read',
  'automations:read',
  'schedules:read',
  'analytics:read',
  'credits:read',
];
const editor: readonly Scope[] = [...reads, 'apps:write', 'content:write', 'schedules:write'];
const approver: readonly Scope[] = [...editor, 'content:approve', 'schedules:publish', 'automations:write'];
const owner: readonly Scope[] = [...approver, 'webhooks:write'];

/** The scopes of a role; a key gets no other. */
const ofRole: Readonly<Record<Role, readonly Scope[]>> = { viewer: reads, editor, approver, owner };

export type Preset = 'agent' | 'automation' | 'full';

const ofPreset: Readonly<Record<Preset, readonly Scope[]>> = {
  agent: owner.filter(scope => scope !== 'content:approve' && scope !== 'schedules:publish'),
  automation: owner.filter(scope => scope !== 'content:approve'),
  full: owner,
};

export function scopesOf(preset: Preset, role: Role): readonly Scope[] {
  return ofPreset[preset].filter(scope => ofRole[role].includes(scope));
}

export const presets: readonly Preset[] = ['agent', 'automation', 'full'];
