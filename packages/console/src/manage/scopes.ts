import { scopesByRole } from '@hookline/sdk';
import type { Role } from '../types.ts';

type Scope = (typeof scopesByRole)[Role][number];
export type Preset = 'agent' | 'automation' | 'full';

/** What a key of the preset must not do. */
const without: Readonly<Record<Preset, readonly Scope[]>> = {
  agent: ['content:approve', 'schedules:publish'],
  automation: ['content:approve'],
  full: [],
};

/** The scopes of a key: those of its creator's role, without what the preset leaves out. */
export function scopesOf(preset: Preset, role: Role): Scope[] {
  return scopesByRole[role].filter(scope => !without[preset].includes(scope));
}

export const presets: readonly Preset[] = ['agent', 'automation', 'full'];
