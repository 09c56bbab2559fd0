import { z } from 'zod';
import {
  answerList,
  answerText,
  idField,
  record,
  recordFields,
  requestIdField,
  textField,
  timestamp,
  urlField,
} from './answer-fields.ts';
import { ApprovalPolicy, approvers, postTexts } from './approval-policy.ts';
import { email as emailInput, exampleSession, exampleUser, Session, User } from './auth.ts';
import { Deleted, list, single } from './envelope.ts';
import { deletedExample, exampleIds, exampleTime, laterTime, listExample, newRecord } from './examples.ts';
import {
  arrayOf,
  body,
  filledText,
  flag,
  idParams,
  idText,
  oneOf,
  pageQuery,
  pathId,
  queryInteger,
  text,
  zoneInput,
} from './fields.ts';
import { logQuery, previousCursor } from './position-cursor.ts';
import { examplePush, Push, pushKinds } from './push.ts';
import { gatewayRoute } from './route.ts';
import { roles } from './scopes.ts';

export const policyPresets = ['strict', 'open'] as const;

export const Workspace = record('Workspace', {
  ...recordFields,
  name: textField,
  timezone: textField,
  approvalPolicy: ApprovalPolicy,
  sendingPaused: z.boolean().meta({ description: 'True: no post of the workspace goes out.' }),
  deletion: z.object({ requestedAt: timestamp, deletesAt: timestamp }).nullable().meta({
    description:
      'Until `deletesAt` the workspace is frozen, and an owner can restore it. Null: not requested.',
  }),
});
export type Workspace = z.infer<typeof Workspace>;

const email = answerText(254, '^[^@\\s]+@[^@\\s]+$');

export const Member = record('Member', {
  userId: idField,
  email: email.nullable(),
  name: textField.nullable(),
  role: z.enum(roles),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Member = z.infer<typeof Member>;

export const Invitation = record('Invitation', {
  ...recordFields,
  email,
  role: z.enum(roles),
  expiresAt: timestamp,
});
export type Invitation = z.infer<typeof Invitation>;

export const InvitationWithUrl = Invitation.extend({
  url: urlField.optional().meta({
    description: 'The link to pass on, in the first response only.',
  }),
  mailed: z.boolean().meta({
    description:
      'True: the link is mailed too. False where no mail is set up, and beyond the mails of a day: 3 to an address, 20 from a workspace, 5 while your own address is not proven.',
  }),
}).meta({ id: 'InvitationWithUrl' });

const roleField = () => oneOf(roles);

const ownersOnly = ['owner'] as const;

const exampleWorkspace: Workspace = {
  id: exampleIds.workspace,
  ...newRecord,
  name: 'Maya',
  timezone: 'Europe/Berlin',
  approvalPolicy: {
    approvers: 'people_only',
    requireVersion: true,
    postTexts: 'approved_only',
    selfApproval: false,
  },
  sendingPaused: false,
  deletion: null,
};

const exampleMember: Member = {
  userId: exampleIds.user,
  email: 'maya@example.com',
  name: 'Maya',
  role: 'owner',
  createdAt: exampleTime,
  updatedAt: exampleTime,
};

export const getWorkspace = gatewayRoute('GET /workspace', {
  auth: 'session',
  summary: 'Get the workspace of the session',
  description: 'Every key, app, content and account belongs to one workspace.',
  response: single(Workspace),
  example: { response: { data: exampleWorkspace } },
});

export const updateWorkspace = gatewayRoute('PATCH /workspace', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Change the name, time zone or approval policy, or stop every post',
  description:
    'Only the given fields change. `approvalPolicy.preset` sets every field of the policy: `open` is `anyone_with_scope`, `false`, `open`, `true`, `strict` is `people_only`, `true`, `approved_only`, `false`; fields given beside it come on top. Once `sendingPaused: true` is answered, no new post begins; one whose call to TikTok has begun is settled. `false` lets what waits go on.',
  body: body({
    name: filledText(200).optional(),
    timezone: zoneInput()
      .meta({ description: 'Name of an IANA time zone, such as Europe/Berlin.' })
      .optional(),
    approvalPolicy: body({
      preset: oneOf(policyPresets).optional(),
      approvers: oneOf(approvers).optional(),
      requireVersion: flag().optional(),
      postTexts: oneOf(postTexts).optional(),
      selfApproval: flag().optional(),
    }).optional(),
    sendingPaused: flag().optional(),
  }).meta({ id: 'UpdateWorkspace' }),
  response: single(Workspace),
  example: {
    body: { timezone: 'Europe/Berlin', approvalPolicy: { preset: 'strict' } },
    response: { data: { ...exampleWorkspace, updatedAt: laterTime } },
  },
});

const confirmation = body({
  password: text(1, 200).optional().meta({
    description: 'The password of your account. Not needed by people who sign in at an OIDC issuer.',
  }),
}).meta({ id: 'ConfirmByPassword' });

export const deleteWorkspace = gatewayRoute('DELETE /workspace', {
  auth: 'session',
  roles: ownersOnly,
  whileFrozen: true,
  summary: 'Delete the workspace in seven days',
  description:
    'Until `deletion.deletesAt` the workspace is frozen: reads and exports work, every other request is 409, automations skip their slots, and schedules that fall due fail as retryable (`workspace_frozen`). Then everything in it is deleted, and people without another workspace are, too. Somebody who signs in at an OIDC issuer has no password and needs a sign-in of the last 10 minutes (403). A repeat changes nothing.',
  body: confirmation,
  bodyOptional: true,
  response: single(Workspace),
  example: {
    body: { password: 'correct horse battery' },
    response: {
      data: {
        ...exampleWorkspace,
        deletion: { requestedAt: laterTime, deletesAt: '2026-11-28T09:00:00.000Z' },
      },
    },
  },
});

export const restoreWorkspace = gatewayRoute('POST /workspace/restore', {
  auth: 'session',
  roles: ownersOnly,
  whileFrozen: true,
  summary: 'Undo the deletion of the workspace',
  description:
    'Keys, members, automations and schedules work as before. Slots and schedules that fell due in between are not made up for: retry the failed schedules. Confirmed as `DELETE /workspace` is. Does nothing when no deletion was requested.',
  body: confirmation,
  bodyOptional: true,
  response: single(Workspace),
  errors: ['not_found'],
  idempotency: 'none',
  example: {
    body: { password: 'correct horse battery' },
    response: { data: exampleWorkspace },
  },
});

export const WorkspaceExport = record('WorkspaceExport', {
  ...recordFields,
  status: z.enum(['pending', 'running', 'ready', 'failed']).meta({
    description: 'Always `ready` today: the archive is written while it is downloaded.',
  }),
  url: urlField.nullable().meta({ description: 'Link to the archive, a tar.gz; null until `ready`.' }),
  expiresAt: timestamp,
});

const exampleExport = {
  id: exampleIds.export,
  ...newRecord,
  status: 'ready' as const,
  url: `http://localhost:8080/media/exports/${exampleIds.export}?s=3q2rT8mYw5nB7cR2xL9pD4sF6gJ0aEuKiOtVyHqMZk4`,
  expiresAt: '2026-11-22T09:00:00.000Z',
};

export const createExport = gatewayRoute('POST /workspace/exports', {
  auth: 'session',
  roles: ownersOnly,
  whileFrozen: true,
  summary: 'Export the workspace',
  description:
    'The link needs no session and works for 24 h, one download at a time. The archive has the records as the API answers them, as NDJSON of up to 100 per file in a folder per kind, and the images; no secrets. A download that is cut off ends with a damaged archive: begin it again. At most 5 in 24 h (429).',
  status: 202,
  response: single(WorkspaceExport),
  errors: ['rate_limited'],
  example: { response: { data: exampleExport } },
});

export const getExport = gatewayRoute('GET /workspace/exports/{id}', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Get an export',
  description: 'Not found once it has expired.',
  params: idParams('export', exampleIds.export),
  response: single(WorkspaceExport),
  example: { response: { data: exampleExport } },
});

export const listMembers = gatewayRoute('GET /workspace/members', {
  auth: 'session',
  summary: 'List members, newest first',
  description: 'Everyone who can sign in to this workspace.',
  query: body(pageQuery),
  response: list(Member),
  example: { response: listExample(exampleMember) },
});

const memberParams = z.object({ userId: pathId('member', exampleIds.user) });

export const updateMember = gatewayRoute('PATCH /workspace/members/{userId}', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Change the role of a member',
  description:
    'Takes effect at once, for the sessions of the member and for the keys that the member created: such a key keeps only the scopes that the role still has. The last owner stays owner (409).',
  params: memberParams,
  body: body({ role: roleField() }).meta({ id: 'UpdateMember' }),
  response: single(Member),
  mayConflict: true,
  example: {
    body: { role: 'approver' },
    response: { data: { ...exampleMember, role: 'approver', updatedAt: laterTime } },
  },
});

export const removeMember = gatewayRoute('DELETE /workspace/members/{userId}', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Remove a member',
  description:
    'Ends the sessions that the member has in this workspace and revokes the keys that the member created; their ids are in `revokedKeyIds`. The last owner cannot leave (409).',
  params: memberParams,
  response: single(
    record('RemovedMember', {
      userId: idField,
      deleted: z.literal(true),
      revokedKeyIds: answerList(idField, 1_000),
    }),
  ),
  mayConflict: true,
  example: {
    response: { data: { userId: exampleIds.user, deleted: true, revokedKeyIds: [exampleIds.key] } },
  },
});

export const decksWaiting = ['off', 'instant', 'daily'] as const;
export type DecksWaiting = (typeof decksWaiting)[number];

export const Notifications = record('Notifications', {
  decksWaiting: z.enum(decksWaiting),
  weekly: z.boolean().meta({ description: 'True: an owner is mailed what each week brought.' }),
  postDue: z.boolean().meta({ description: 'True: whoever may post is mailed what is due on a phone.' }),
  email: email.nullable().meta({
    description: 'Where the mails go. Null while the OIDC issuer has not said that an address is verified.',
  }),
  emailVerified: z.boolean().meta({
    description: 'False: the address is not proven yet, and nothing but a link to prove it is mailed.',
  }),
  mailConfigured: z.boolean().meta({ description: 'False: this server sends no mail.' }),
  push: Push,
});
export type Notifications = z.infer<typeof Notifications>;

const exampleNotifications: Notifications = {
  decksWaiting: 'daily',
  weekly: true,
  postDue: true,
  email: 'maya@example.com',
  emailVerified: true,
  mailConfigured: true,
  push: examplePush,
};

export const getNotifications = gatewayRoute('GET /workspace/notifications', {
  auth: 'session',
  summary: 'Get your notification settings',
  description: 'The choice of the person of the session, in the workspace of the session.',
  response: single(Notifications),
  example: { response: { data: exampleNotifications } },
});

export const updateNotifications = gatewayRoute('PATCH /workspace/notifications', {
  auth: 'session',
  roles: ['owner', 'approver'],
  summary: 'Update your notification settings',
  description:
    '`decksWaiting` is about content that waits for approval: `instant` mails at once, at most every 15 minutes; `daily` at 09:00 in the time zone of the workspace; `off`, the default, never. Nothing is mailed while nothing waits. `weekly`, the default, mails an owner on Mondays at 09:00 what was posted, what it brought and what waits. `postDue`, the default, mails whoever may post when a post is due on a phone. An address that is not proven yet is mailed a link that proves it first.',
  body: body({
    decksWaiting: oneOf(decksWaiting).optional(),
    weekly: flag().optional(),
    postDue: flag().optional(),
    pushKinds: arrayOf(oneOf(pushKinds), 0, pushKinds.length, 'kinds').optional().meta({
      description: 'What you are told on each browser that takes notifications.',
    }),
  }).meta({ id: 'UpdateNotifications' }),
  response: single(Notifications),
  example: { body: { decksWaiting: 'daily' }, response: { data: exampleNotifications } },
});

export const WorkspaceOfPerson = record('WorkspaceOfPerson', {
  id: idField,
  name: textField,
  role: z.enum(roles),
  current: z.boolean(),
});

const exampleOfPerson = { id: exampleIds.workspace, name: 'Maya', role: 'owner' as const, current: true };

export const listOwnWorkspaces = gatewayRoute('GET /auth/workspaces', {
  auth: 'session',
  summary: 'List the workspaces of the person',
  description: 'At most 100, the one joined first at the top. `current` is the workspace of this session.',
  response: list(WorkspaceOfPerson),
  example: { response: listExample(exampleOfPerson) },
});

export const enterWorkspace = gatewayRoute('POST /auth/workspaces/{id}/enter', {
  auth: 'session',
  whileFrozen: true,
  summary: 'Go on in another workspace',
  description:
    'Changes the workspace of this session. Keys are not affected: a key belongs to one workspace.',
  params: idParams('workspace', exampleIds.workspace),
  response: single(WorkspaceOfPerson),
  idempotency: 'none',
  example: { response: { data: exampleOfPerson } },
});

const exampleInvitation: Invitation = {
  id: exampleIds.invitation,
  ...newRecord,
  email: 'ben@example.com',
  role: 'approver',
  expiresAt: '2026-11-28T09:00:00.000Z',
};

const exampleToken = 'link_Zk3vQ1hT8mYw5nB7cR2xL9pD4sF6gJ0aEuKiOtVyHqM';

export const createInvitation = gatewayRoute('POST /workspace/invitations', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Invite somebody to the workspace',
  description:
    'The link is valid for 7 days and works once, for whoever has it. A retry with the same `Idempotency-Key` returns the record without `url`. A workspace has at most 100 open invitations, one for each address.',
  body: body({ email: emailInput, role: roleField() }).meta({ id: 'CreateInvitation' }),
  status: 201,
  response: single(InvitationWithUrl),
  example: {
    body: { email: exampleInvitation.email, role: exampleInvitation.role },
    response: {
      data: {
        ...exampleInvitation,
        url: `https://hookline.example.com/console/invitation?token=${exampleToken}`,
        mailed: true,
      },
    },
  },
});

export const listInvitations = gatewayRoute('GET /workspace/invitations', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'List open invitations, newest first',
  description: 'Without those that were accepted or deleted. The link is never included.',
  query: body(pageQuery),
  response: list(Invitation),
  example: { response: listExample(exampleInvitation) },
});

export const deleteInvitation = gatewayRoute('DELETE /workspace/invitations/{id}', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Withdraw an invitation',
  description: 'Its link no longer works.',
  params: idParams('invitation', exampleIds.invitation),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.invitation) },
});

export const acceptInvitation = gatewayRoute('POST /auth/invitations/accept', {
  auth: 'none',
  optionalSession: true,
  whileFrozen: true,
  summary: 'Accept an invitation',
  description:
    'Without a session: `password` is the one of the person who signed up with the invited address, or a new one of 10 to 200 characters, and a session in the workspace is returned. With a session: no `password`, and the session enters the workspace (200, without a token).',
  body: body({
    token: text(1, 200),
    name: filledText(200).optional(),
    password: text(1, 200).optional(),
  }).meta({ id: 'AcceptInvitation' }),
  status: 201,
  response: single(
    record('AcceptedInvitation', {
      user: User,
      session: Session.extend({ token: answerText(48, '^sess_[\\w-]{43}$').optional() }).meta({
        id: 'SessionMaybeWithToken',
      }),
    }),
  ),
  errors: ['unauthorized', 'second_factor_required'],
  idempotency: 'none',
  example: {
    body: { token: exampleToken, name: 'Ben', password: 'correct horse battery' },
    response: {
      data: {
        user: exampleUser,
        session: { ...exampleSession, token: 'sess_Zk3vQ1hT8mYw5nB7cR2xL9pD4sF6gJ0aEuKiOtVyHqM' },
      },
    },
  },
});

export const AuditEvent = record('AuditEvent', {
  id: idField,
  at: timestamp,
  actor: z.object({
    kind: z.enum(['person', 'key', 'automation', 'reviewer', 'operator', 'anonymous']),
    id: idField.nullable(),
    name: textField.nullable(),
  }),
  action: answerText(64, '^[a-z_]+\\.[a-z_]+$'),
  subject: z.object({ kind: textField, id: idField.nullable() }),
  address: textField.nullable().meta({ description: 'IPv6 addresses as their /64.' }),
  requestId: requestIdField.nullable(),
  detail: z.record(textField, z.unknown()).meta({ description: 'What changed, by action. No secrets.' }),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const listAudit = gatewayRoute('GET /audit', {
  auth: 'session',
  roles: ownersOnly,
  summary: 'Read the audit log, oldest first or newest first',
  description:
    'Who did what: sign-ins, keys, members, policy, decisions on content, connected accounts, secrets of webhooks. What another service did appears a moment after it happened, with its own `at`. Rows are kept for `AUDIT_RETENTION_DAYS`. `nextCursor` is always set: pass it as `after` to go on.',
  query: body({
    ...logQuery,
    action: text(1, 64).optional().meta({
      description: 'Only this action, or all of a kind: `key` matches `key.created` and `key.revoked`.',
    }),
    actorId: idText().optional().meta({ description: 'Only what this person or key did.' }),
    limit: queryInteger(1, 100).optional().meta({ description: 'Maximum number of rows; 100 without it.' }),
  }),
  response: list(AuditEvent).extend({ previousCursor }),
  example: {
    response: {
      data: [
        {
          id: exampleIds.audit,
          at: exampleTime,
          actor: { kind: 'person', id: exampleIds.user, name: 'Maya' },
          action: 'member.role_changed',
          subject: { kind: 'user', id: exampleIds.user },
          address: '203.0.113.7',
          requestId: exampleIds.request,
          detail: { from: 'editor', to: 'approver' },
        },
      ],
      nextCursor: 'YXVkaXQgMQ',
    },
  },
});
