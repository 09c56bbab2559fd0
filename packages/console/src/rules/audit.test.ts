import { expect, it } from 'vitest';
import type { AuditEvent } from '../manage/queries.ts';
import { burstsOf, factsIn, nameIn } from './audit.ts';

const about = (kind: string, id: string | null, detail: object) => ({
  actor: { kind: 'person' as const, id: 'user_3', name: 'Maya' },
  subject: { kind, id },
  detail: detail as Record<string, unknown>,
});

it.each([
  ['a deck by its hook then', about('content', 'content_1', { hook: '5 habits', version: 2 }), '5 habits'],
  ['a key by its name', about('key', 'key_1', { name: 'Claude', prefix: 'svc_live_a' }), 'Claude'],
  [
    'an account by its handle',
    about('account', 'account_1', { username: 'nord', displayName: 'N' }),
    '@nord',
  ],
  ['an account without a handle', about('account', 'a', { username: null, displayName: 'N' }), 'N'],
  ['a member as called now', about('user', 'user_1', { from: 'editor', to: 'viewer' }), 'Ben'],
  ['nobody twice', about('user', 'user_3', { method: 'password' }), undefined],
  ['nothing that is gone', about('user', 'user_2', {}), undefined],
] as const)('names %s', (_what, entry, name) => {
  expect(
    nameIn(
      entry,
      new Map([
        ['user_1', 'Ben'],
        ['user_3', 'Maya'],
      ]),
    ),
  ).toBe(name);
});

it.each([
  [
    'member.role_changed',
    { from: 'editor', to: 'approver', withdrawnInvitationIds: [] },
    ['editor → approver'],
  ],
  [
    'policy.changed',
    {
      from: { approvers: 'anyone_with_scope', selfApproval: true },
      to: { approvers: 'people_only', selfApproval: true },
    },
    ['approvers: anyone with scope → people only'],
  ],
  ['content.rejected', { hook: '5 habits', version: 2, reason: 'Wrong tone' }, ['“Wrong tone”']],
  [
    'auth.sign_in_failed',
    { method: 'password', reason: 'second_factor' },
    ['the passkey or the recovery code was wrong'],
  ],
  ['app.changed', { request: 'updateApp', fields: ['name', 'avoidWords'] }, ['name', 'avoid words']],
  [
    'automation.changed',
    { fields: ['approvalMode', 'brief'], approvalMode: 'auto' },
    ['approval mode: auto'],
  ],
  ['key.created', { name: 'Claude', scopes: ['apps:read'] }, []],
] as const)('%s says what changed', (action, detail, facts) => {
  expect(factsIn({ action, detail: detail as Record<string, unknown> })).toEqual(facts);
});

it('what one person did again within a minute is one row, and nothing else is', () => {
  const entry = (id: string, at: string, request: string) =>
    ({ id, at, action: 'app.changed', ...about('app', 'app_1', { request }) }) as AuditEvent;
  const entries = [
    entry('4', '2026-11-29T10:05:00Z', 'addPicture'),
    entry('3', '2026-11-29T10:04:40Z', 'addPicture'),
    entry('2', '2026-11-29T10:04:20Z', 'addPicture'),
    entry('1', '2026-11-29T10:04:10Z', 'deletePicture'),
  ];
  expect([...burstsOf(entries).values()].map(burst => burst.map(({ id }) => id))).toEqual([
    ['4'],
    ['3', '2'],
    ['1'],
  ]);
});
