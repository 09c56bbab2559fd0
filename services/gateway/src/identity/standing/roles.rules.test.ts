import { roles, scopes } from '@hookline/shared/contracts/scopes';
import { describe, expect, it } from 'vitest';
import { effectiveScopes, scopesOfRole } from './roles.rules.ts';

describe('the scopes of a role', () => {
  const reads = [
    'apps:read',
    'content:read',
    'automations:read',
    'schedules:read',
    'analytics:read',
    'credits:read',
  ];
  const edits = [...reads, 'apps:write', 'content:write', 'schedules:write'];
  it.each([
    ['viewer', reads],
    ['editor', edits],
    ['approver', [...edits, 'content:approve', 'schedules:publish', 'automations:write']],
    ['owner', [...scopes]],
  ] as const)('%s', (role, expected) => {
    expect([...scopesOfRole(role)].sort()).toEqual([...expected].sort());
  });

  it('bound every key: no scope is left that the role lacks, none is lost that it has', () => {
    for (const role of roles) {
      for (const scope of scopes) {
        const isLeft = effectiveScopes([scope], role).length === 1;
        expect([role, scope, isLeft]).toEqual([role, scope, scopesOfRole(role).includes(scope)]);
      }
    }
  });
});
