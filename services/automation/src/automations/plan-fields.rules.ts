import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { UpdateAutomationBody } from '@hookline/shared/contracts/automations';
import type { SentBrief } from '@hookline/shared/contracts/brief';
import type { Account, PrivacyLevel } from '@hookline/shared/contracts/schedules';
import { isTimezone } from '@hookline/shared/contracts/timezone';
import { hasEnded, type PlanLimits } from '../slots/plan-end.rules.ts';
import type { AutomationRow } from './record.ts';

/**
 * A firing must be postable, so a slideshow without a template gets the one that fits the app (D-13).
 * @throws ApiError `invalid_request` for given texts and pictures
 */
export function briefForFirings(
  format: 'slideshow' | 'hook_video',
  brief: SentBrief | undefined,
): SentBrief | null {
  if (brief?.slides) {
    throw invalidRequest('brief.slides must be left out: an automation would post the same texts every time');
  }
  if (brief?.templateId === 'picture') {
    throw invalidRequest(
      'brief.templateId must be another than picture: an automation would post the same pictures every time',
    );
  }
  if (format === 'hook_video') return brief ?? null;
  return { ...brief, templateId: brief?.templateId ?? 'auto' };
}

export type Posting = { postingMode: 'drafts' | 'publish'; privacyLevel: PrivacyLevel | null };

/** `privacyLevel` applies to publish only; there it defaults to the least public one (D-11). */
export function postingOf(
  postingMode: 'drafts' | 'publish',
  privacyLevel: PrivacyLevel | null | undefined,
): Posting {
  if (postingMode === 'publish') return { postingMode, privacyLevel: privacyLevel ?? 'SELF_ONLY' };
  if (privacyLevel) throw invalidRequest('privacyLevel must be left out unless postingMode is "publish"');
  return { postingMode, privacyLevel: null };
}

/** @param allowed empty while they are not known: each schedule is checked again */
export function requireLevel(privacyLevel: PrivacyLevel | null, allowed: readonly PrivacyLevel[]): void {
  if (privacyLevel === null || allowed.length === 0 || allowed.includes(privacyLevel)) return;
  const message = `privacyLevel must be one that the account allows: ${allowed.join(', ')}`;
  throw new ApiError('invalid_privacy_level', message);
}

/** A person posts from a phone, as from the drafts. */
export function requireMode(mode: Posting['postingMode'], { kind }: Pick<Account, 'kind'>): void {
  if (mode === 'drafts' || kind !== 'phone') return;
  throw invalidRequest('postingMode must be "drafts" for an account of kind "phone"');
}

export function requireTimezone(timezone: string): void {
  if (!isTimezone(timezone)) {
    throw invalidRequest('timezone must be the name of an IANA time zone, such as Europe/Berlin or UTC');
  }
}

type Topics = Pick<AutomationRow, 'topics' | 'topicIndex'>;

/** A changed list goes on with its first topic that the round has not used; a new one begins at its first. */
export function changeTopics(current: Topics, topics: string[]): Topics {
  if (isDeepStrictEqual(topics, current.topics)) return current;
  const used = current.topics.slice(0, current.topicIndex);
  return {
    topics,
    topicIndex: Math.max(
      0,
      topics.findIndex(topic => !used.includes(topic)),
    ),
  };
}

/** @param named the field that the caller would have to leave out */
export function requireOneTopic(
  { brief, topics }: Pick<AutomationRow, 'brief' | 'topics'>,
  named: 'brief.topic' | 'topics',
): void {
  if (topics.length === 0 || brief?.topic === undefined) return;
  const other = named === 'topics' ? 'brief.topic' : 'topics';
  throw invalidRequest(`${named} must be left out where ${other} is set: a deck has one topic`);
}

type Progress = Topics & PlanLimits & Pick<AutomationRow, 'status' | 'nextFireAt'>;

/**
 * Moves an active automation to its next slot, or ends it.
 * @param next null for one that was set aside, which stays so
 */
export function moveOn<T extends Progress>(row: T, next: Date | null, fired = 0): T {
  const firingsMade = row.firingsMade + fired;
  const topicIndex = row.topics.length === 0 ? 0 : (row.topicIndex + fired) % row.topics.length;
  return hasEnded({ ...row, firingsMade }, next)
    ? { ...row, firingsMade, topicIndex, status: 'ended', nextFireAt: null }
    : { ...row, firingsMade, topicIndex, nextFireAt: next };
}

type ChangeableFields = Posting &
  Topics &
  Pick<
    AutomationRow,
    'status' | 'postingTimes' | 'timezone' | 'brief' | 'approvalMode' | 'until' | 'maxFirings'
  >;

/** One that has ended is active again, as far as its limits allow. */
export function changeFields(
  current: ChangeableFields & Pick<AutomationRow, 'format'>,
  change: UpdateAutomationBody,
): ChangeableFields {
  const { brief, until } = change;
  const { topics, topicIndex } =
    change.topics === undefined ? current : changeTopics(current, change.topics ?? []);
  return {
    status: change.status ?? (current.status === 'paused' ? 'paused' : 'active'),
    postingTimes: change.postingTimes ?? current.postingTimes,
    timezone: change.timezone ?? current.timezone,
    brief: brief === undefined ? current.brief : briefForFirings(current.format, brief ?? undefined),
    topics,
    topicIndex,
    until: until === undefined ? current.until : until === null ? null : new Date(until),
    maxFirings: change.maxFirings === undefined ? current.maxFirings : change.maxFirings,
    approvalMode: change.approvalMode ?? current.approvalMode,
    ...changedPosting(current, change),
  };
}

function changedPosting(current: Posting, change: UpdateAutomationBody): Posting {
  const postingMode = change.postingMode ?? current.postingMode;
  if (change.privacyLevel !== undefined) return postingOf(postingMode, change.privacyLevel);
  return postingOf(postingMode, postingMode === 'publish' ? current.privacyLevel : undefined);
}
