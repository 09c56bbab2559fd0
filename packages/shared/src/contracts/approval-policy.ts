import { z } from 'zod';
import { record } from './answer-fields.ts';

export const approvers = ['anyone_with_scope', 'people_only'] as const;
export const postTexts = ['open', 'approved_only'] as const;

/** Who may decide on a version, and what a schedule may add to it. */
export const ApprovalPolicy = record('ApprovalPolicy', {
  approvers: z.enum(approvers).meta({
    description: '`people_only`: an API key can neither approve nor reject.',
  }),
  requireVersion: z.boolean().meta({ description: 'A decision must name the version that it is on.' }),
  postTexts: z.enum(postTexts).meta({
    description:
      '`approved_only`, the default: only somebody who may approve replaces the approved title and description in a schedule, and under `selfApproval: false` nobody.',
  }),
  selfApproval: z.boolean().meta({
    description: 'False: whoever made or last edited a version cannot decide on it.',
  }),
});
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

/** A new workspace has `open`, but with `postTexts: "approved_only"`. */
export const approvalPolicies = {
  open: { approvers: 'anyone_with_scope', requireVersion: false, postTexts: 'open', selfApproval: true },
  strict: { approvers: 'people_only', requireVersion: true, postTexts: 'approved_only', selfApproval: false },
} as const satisfies Record<string, ApprovalPolicy>;
