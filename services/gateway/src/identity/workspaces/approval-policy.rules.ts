import { type ApprovalPolicy, approvalPolicies } from '@hookline/shared/contracts/approval-policy';

export type PolicyChange = { preset?: 'strict' | 'open' | undefined } & {
  [Field in keyof ApprovalPolicy]?: ApprovalPolicy[Field] | undefined;
};

/** The policy after a change: the preset first, then the fields that are given. */
export function mergePolicy(current: ApprovalPolicy, { preset, ...given }: PolicyChange): ApprovalPolicy {
  const base = preset === undefined ? current : approvalPolicies[preset];
  return {
    approvers: given.approvers ?? base.approvers,
    requireVersion: given.requireVersion ?? base.requireVersion,
    postTexts: given.postTexts ?? base.postTexts,
    selfApproval: given.selfApproval ?? base.selfApproval,
  };
}
