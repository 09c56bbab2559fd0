import { z } from 'zod';
import { answerList, answerText, idField, recordFields, textField, timestamp } from './answer-fields.ts';
import { list, single } from './envelope.ts';
import { exampleIds, exampleTime, laterTime, listExample, newRecord } from './examples.ts';
import { body, filledText, flag, idParams, oneOf, pageQuery, pathId, text } from './fields.ts';
import { defineRoute } from './route.ts';
import { roles } from './scopes.ts';

export const approvers = ['anyone_with_scope', 'people_only'] as const;
export const postTexts = ['open', 'approved_only'] as const;
export const policyPresets = ['strict', 'open'] as const;

/** Who may decide on a version, and what a schedule may add to it. */
export const ApprovalPolicy = z
  .object({
    approvers: z.enum(approvers).meta({
      description: '`people_only`: an API key can neither approve nor reject.',
    }),
    requireVersion: z.boolean().meta({ description: 'A decision must name the version that it is on.' }),
    postTexts: z.enum(postTexts).meta({
      description: '`approved_only`: a schedule cannot replace the approved title and description.',
    }),
    selfApproval: z.boolean().meta({
      description: 'False: whoever made or last edited a version cannot decide on it.',
    }),
  })
  .meta({ id: 'ApprovalPolicy' });
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

export const Workspace = z
  .object({
    ...recordFields,
    name: textField,
    timezone: textField,
    approvalPolicy: ApprovalPolicy,
  })
  .meta({ id: 'Workspace' });
export type Workspace = z.infer<typeof Workspace>;

const email = answerText(254, '^[^@\\s]+@[^@\\s]+$');

export const Member = z
  .object({
    userId: idField,
    email: email.nullable(),
    name: textField.nullable(),
    role: z.enum(roles),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

const roleField = () => oneOf(roles);

const service = { service: 'gateway', auth: 'session', scopes: [] } as const;
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
};

const exampleMember: Member = {
  userId: exampleIds.user,
  email: 'maya@example.com',
  name: 'Maya',
  role: 'owner',
  createdAt: exampleTime,
  updatedAt: exampleTime,
};

export const getWorkspace = defineRoute({
  ...service,
  id: 'getWorkspace',
  method: 'GET',
  path: '/workspace',
  summary: 'Get the workspace of the session',
  description: 'Every key, app, content and account belongs to one workspace.',
  status: 200,
  response: single(Workspace),
  errors: [],
  example: { response: { data: exampleWorkspace } },
});

export const updateWorkspace = defineRoute({
  ...service,
  roles: ownersOnly,
  id: 'updateWorkspace',
  method: 'PATCH',
  path: '/workspace',
  summary: 'Change the name, time zone or approval policy',
  description:
    'Only the given fields change. `approvalPolicy.preset` sets every field of the policy: `open` is the default, `strict` is `people_only`, `true`, `approved_only`, `false`; fields given beside it come on top.',
  body: body({
    name: filledText(200).optional(),
    timezone: text(1, 64)
      .meta({ description: 'Name of an IANA time zone, such as Europe/Berlin.' })
      .optional(),
    approvalPolicy: body({
      preset: oneOf(policyPresets).optional(),
      approvers: oneOf(approvers).optional(),
      requireVersion: flag().optional(),
      postTexts: oneOf(postTexts).optional(),
      selfApproval: flag().optional(),
    }).optional(),
  }).meta({ id: 'UpdateWorkspace' }),
  status: 200,
  response: single(Workspace),
  errors: [],
  example: {
    body: { timezone: 'Europe/Berlin', approvalPolicy: { preset: 'strict' } },
    response: { data: { ...exampleWorkspace, updatedAt: laterTime } },
  },
});

export const listMembers = defineRoute({
  ...service,
  id: 'listMembers',
  method: 'GET',
  path: '/workspace/members',
  summary: 'List members, newest first',
  description: 'Everyone who can sign in to this workspace.',
  query: body(pageQuery),
  status: 200,
  response: list(Member),
  errors: [],
  example: { response: listExample(exampleMember) },
});

const memberParams = z.object({ userId: pathId('member', exampleIds.user) });

export const updateMember = defineRoute({
  ...service,
  roles: ownersOnly,
  id: 'updateMember',
  method: 'PATCH',
  path: '/workspace/members/{userId}',
  summary: 'Change the role of a member',
  description:
    'Takes effect at once, for the sessions of the member and for the keys that the member created: such a key keeps only the scopes that the role still has. The last owner stays owner (409).',
  params: memberParams,
  body: body({ role: roleField() }).meta({ id: 'UpdateMember' }),
  status: 200,
  response: single(Member),
  errors: ['not_found'],
  mayConflict: true,
  example: {
    body: { role: 'approver' },
    response: { data: { ...exampleMember, role: 'approver', updatedAt: laterTime } },
  },
});

export const removeMember = defineRoute({
  ...service,
  roles: ownersOnly,
  id: 'removeMember',
  method: 'DELETE',
  path: '/workspace/members/{userId}',
  summary: 'Remove a member',
  description:
    'Ends the sessions that the member has in this workspace and revokes the keys that the member created; their ids are in `revokedKeyIds`. The last owner cannot leave (409).',
  params: memberParams,
  status: 200,
  response: single(
    z.object({ userId: idField, deleted: z.literal(true), revokedKeyIds: answerList(idField, 1_000) }),
  ),
  errors: ['not_found'],
  mayConflict: true,
  example: {
    response: { data: { userId: exampleIds.user, deleted: true, revokedKeyIds: [exampleIds.key] } },
  },
});

export const WorkspaceOfPerson = z
  .object({ id: idField, name: textField, role: z.enum(roles), current: z.boolean() })
  .meta({ id: 'WorkspaceOfPerson' });

const exampleOfPerson = { id: exampleIds.workspace, name: 'Maya', role: 'owner' as const, current: true };

export const listOwnWorkspaces = defineRoute({
  ...service,
  id: 'listOwnWorkspaces',
  method: 'GET',
  path: '/auth/workspaces',
  summary: 'List the workspaces of the person',
  description: 'At most 100, the one joined first at the top. `current` is the workspace of this session.',
  status: 200,
  response: list(WorkspaceOfPerson),
  errors: [],
  example: { response: listExample(exampleOfPerson) },
});

export const enterWorkspace = defineRoute({
  ...service,
  id: 'enterWorkspace',
  method: 'POST',
  path: '/auth/workspaces/{id}/enter',
  summary: 'Go on in another workspace',
  description:
    'Changes the workspace of this session. Keys are not affected: a key belongs to one workspace.',
  params: idParams('workspace', exampleIds.workspace),
  status: 200,
  response: single(WorkspaceOfPerson),
  errors: ['not_found'],
  idempotency: 'none',
  example: { response: { data: exampleOfPerson } },
});
