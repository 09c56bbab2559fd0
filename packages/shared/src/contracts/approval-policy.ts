import { z } from 'zod';

/** What a workspace asks of decisions on content. The defaults are those of the public specification. */
export const ApprovalPolicy = z
  .object({
    approvers: z.enum(['anyone_with_scope', 'people_only']),
    requireVersion: z.boolean(),
    postTexts: z.enum(['open', 'approved_only']),
    selfApproval: z.boolean(),
  })
  .meta({ id: 'ApprovalPolicy' });
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

export const approvalPolicies = {
  open: { approvers: 'anyone_with_scope', requireVersion: false, postTexts: 'open', selfApproval: true },
  strict: { approvers: 'people_only', requireVersion: true, postTexts: 'approved_only', selfApproval: false },
} as const satisfies Record<string, ApprovalPolicy>;
