/** From what is chosen in the form of a schedule to the request, by TikTok's rules for direct posts. */
import type { Account, CreateSchedule, PrivacyLevel } from '../types.ts';
import type { Choices } from './choices.ts';

/** How far in the past a time may be; the server refuses an earlier one. */
const lateMaxMs = 60_000;

export type ScheduleDraft = {
  accountId: string;
  /** Null, as `hasMusic`: as it was for the account last. */
  mode: 'draft' | 'publish' | null;
  /** In the zone of the workspace; empty: now. Null: the next slot of the account. */
  local: string | null;
  privacy: PrivacyLevel | '';
  hasComments: boolean;
  isDisclosed: boolean;
  isOwnBrand: boolean;
  isBranded: boolean;
  isAi: boolean;
  hasMusic: boolean | null;
};

/** Nothing that TikTok wants chosen for each post is preset. */
export function blankSchedule(accountId: string, local: string | null): ScheduleDraft {
  return {
    accountId,
    mode: null,
    local,
    privacy: '',
    hasComments: false,
    isDisclosed: false,
    isOwnBrand: false,
    isBranded: false,
    isAi: true,
    hasMusic: null,
  };
}

/** What another account starts with: how and to whom a post goes is chosen again. */
export function forAccount(accountId: string): Partial<ScheduleDraft> {
  return { accountId, mode: null, privacy: '', hasMusic: null };
}

type Given = {
  contentId: string;
  account: Pick<Account, 'kind' | 'canPublish'> | undefined;
  /** The role may post directly. */
  canPublish: boolean;
  before: Choices | undefined;
  /** A time in the zone of the workspace; null if its clock never shows it. */
  toUtc: (local: string) => string | null;
  nowMs: number;
};

export type SettledSchedule = {
  body: CreateSchedule;
  choices: Choices;
  mayPublish: boolean;
  isPhone: boolean;
  isDirect: boolean;
  /** Null: now. */
  at: string | null;
  timeProblem: 'noTime' | 'past' | null;
  lacksDisclosure: boolean;
  isComplete: boolean;
};

export function settleSchedule(draft: ScheduleDraft & { local: string }, given: Given): SettledSchedule {
  const { contentId, account, canPublish, before, toUtc, nowMs } = given;
  const mayPublish = canPublish && account?.canPublish === true;
  const mode = draft.mode ?? (mayPublish ? (before?.mode ?? 'publish') : 'draft');
  const hasMusic = draft.hasMusic ?? before?.hasMusic ?? true;
  const isPhone = account?.kind === 'phone';
  const isDirect = !isPhone && mode === 'publish';
  const at = draft.local === '' ? null : toUtc(draft.local);
  const isPast = at !== null && nowMs - Date.parse(at) > lateMaxMs;
  const timeProblem = draft.local !== '' && at === null ? 'noTime' : isPast ? 'past' : null;
  const lacksDisclosure = isDirect && draft.isDisclosed && !draft.isOwnBrand && !draft.isBranded;
  const body: CreateSchedule = {
    contentId,
    tiktokAccountId: draft.accountId,
    mode: isPhone ? 'phone' : mode,
    ...(at === null ? {} : { scheduledFor: at }),
    ...(isDirect && draft.privacy !== '' ? { privacyLevel: draft.privacy } : {}),
    disableComment: !draft.hasComments,
    brandOrganic: isDirect && draft.isDisclosed && draft.isOwnBrand,
    brandedContent: isDirect && draft.isDisclosed && draft.isBranded,
    aiGenerated: draft.isAi,
    autoAddMusic: hasMusic,
  };
  const isComplete =
    draft.accountId !== '' && (!isDirect || draft.privacy !== '') && !lacksDisclosure && timeProblem === null;
  return {
    body,
    choices: { mode, hasMusic },
    mayPublish,
    isPhone,
    isDirect,
    at,
    timeProblem,
    lacksDisclosure,
    isComplete,
  };
}
