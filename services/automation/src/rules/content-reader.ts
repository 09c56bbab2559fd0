import type { Caller } from '@hookline/shared/http';

/** Whether events give a caller the content, or its id alone (D-68). */
export function readsContent({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes.includes('content:read');
}
