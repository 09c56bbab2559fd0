import type { ApprovalPolicy } from '@hookline/shared/contracts/workspace';

const presets: Readonly<Record<'strict' | 'open', ApprovalPolicy>> = {
  open: { approvers: 'anyone_with_scope', requireVersion: false, postTexts: 'open', selfApproval: true },
  strict: {
    approvers: 'people_only',
    requireVersion: true,
    postTexts: 'approved_only',
    selfApproval: false,
  },
};

export type PolicyChange = { preset?: 'strict' | 'open' | undefined } & {
  [Field in keyof ApprovalPolicy]?: ApprovalPolicy[Field] | undefined;
};

/** The policy after a change: the preset first, then the fields that are given. */
export function mergePolicy(current: ApprovalPolicy, { preset, ...given }: PolicyChange): ApprovalPolicy {
  const base = preset === undefined ? current : presets[preset];
  return {
    approvers: given.approvers ?? base.approvers,
    requireVersion: given.requireVersion ?? base.requireVersion,
    postTexts: given.postTexts ?? base.postTexts,
    selfApproval: given.selfApproval ?? base.selfApproval,
  };
}
