import { findPromisedCount } from '@hookline/deck';
import type { Archetype } from './port.ts';

/** The archetype that a given hook asks for: a scene after "POV:", a list where it promises a count. */
export function findArchetypeOfHook(hook: string | undefined): Archetype | undefined {
  if (hook === undefined) return undefined;
  if (/^\s*pov\b/i.test(hook)) return 'pov_results';
  if (findPromisedCount(hook) !== null) return 'listicle';
  return /^\s*(why|what|the difference)\b/i.test(hook) ? 'authority' : undefined;
}
