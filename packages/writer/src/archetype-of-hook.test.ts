import { expect, it } from 'vitest';
import { findArchetypeOfHook } from './archetype-of-hook.ts';

it.each([
  [undefined, undefined],
  ['POV: you slept', 'pov_results'],
  ['7 habits that last', 'listicle'],
  ['Why some people keep their planner', 'authority'],
  ['Nobody sees the rest day', undefined],
])('%s: %s', (hook, archetype) => expect(findArchetypeOfHook(hook)).toBe(archetype));
