/** `POST /schedules` throws the first problem in the order of D-40; preflight lists all. */

import { ApiError } from '@hookline/shared/contracts';
import type { EventContent } from '@hookline/shared/contracts/content';
import { type PrivacyLevel, privacyLevels, type ScheduleMode } from '@hookline/shared/contracts/schedules';
import { digestSlides } from '@hookline/shared/kernel/sha256';
import { type AccountAnswer, type CreatorSettings, getCreatorSettings } from '../accounts/ask.ts';
import type { PlatformAccount } from '../accounts/record.ts';
import type { SchedulingDeps } from '../deps.ts';
import { type Carrier, carrierOf } from '../platform/carrier.rules.ts';
import { notRenewed } from '../platform/failures.rules.ts';
import { findSlideProblem } from '../platform/image-facts.rules.ts';
import { hasWaitingSchedule } from '../schedules/queries.ts';
import { refusalOfSlides } from '../schedules/transition.ts';
import { imagesMatchSlides, slideCountOf } from './slides.rules.ts';

export type PostProblem = {
  error: ApiError;
  slide: number | null;
  measured: number | string | null;
  limit: number | string | null;
};

export type PostCheck = {
  content: EventContent;
  /** Without an account only the deck is checked. */
  account: PlatformAccount | null;
  mode: ScheduleMode;
  privacyLevel: string | undefined;
  /** The request itself posts: the account's options are read from the platform now. */
  isImmediate: boolean;
  /** When it is posted. */
  at: Date;
  /** The schedule that waits for this account is the one that is changed. */
  replaces?: boolean;
};

/** The platform was asked for the account's options; a missing answer is one of the problems. */
type OptionsAnswer = { settings: CreatorSettings | null };

// The account's options may be this old when a schedule is created (D-44).
const creatorFreshMs = 60_000;

/** @returns the account's options, after the last problem; null if the platform gave none. */
export async function* findPostProblems(
  deps: SchedulingDeps,
  check: PostCheck,
): AsyncGenerator<PostProblem, CreatorSettings | null> {
  const { content, account } = check;
  if (content.approvalStatus !== 'approved') yield problem(new ApiError('not_approved'));
  if (account) yield* accountProblems(check, account);
  const carrier = account ? carrierOf(deps, account) : deps.carriers.tiktok;
  yield* deckProblems(deps, content, carrier);
  if (!account) return null;
  const levelAnswer = yield* privacyProblems(deps, check, account);
  if (!check.replaces && (await hasWaitingSchedule(deps.db, content.id, account.id)))
    yield problem(new ApiError('already_scheduled'));
  yield* slidesProblems(deps, check, account);
  const isAskDue = check.mode === 'publish' && !levelAnswer;
  const answer = isAskDue ? yield* platformProblems(deps, check, account) : levelAnswer;
  return answer?.settings ?? null;
}

function* accountProblems({ content, mode }: PostCheck, account: PlatformAccount): Generator<PostProblem> {
  if (account.appId !== null && account.appId !== content.appId) yield problem(new ApiError('cross_app'));
  if (account.status === 'disconnected') yield problem(new ApiError('account_not_connected'));
  else if (account.status === 'needs_reauth') yield problem(new ApiError('account_needs_reauth'));
  else if (
    mode !== 'phone' &&
    !account.scopes.includes(mode === 'publish' ? 'video.publish' : 'video.upload')
  ) {
    const right = mode === 'publish' ? 'posting directly' : 'sending drafts';
    const message = `The platform account was connected without the right to ${right}; connect it again and allow it.`;
    yield problem(new ApiError('account_needs_reauth', message));
  }
}

async function* deckProblems(
  deps: SchedulingDeps,
  content: EventContent,
  carrier: Carrier,
): AsyncGenerator<PostProblem> {
  const { images } = content;
  if (images.length === 0) {
    yield problem(new ApiError('no_images'));
    return;
  }
  if (!imagesMatchSlides(content)) {
    const [measured, limit] = [images.length, slideCountOf(content)];
    const message = `This content has ${measured} slide images for ${limit} slides.`;
    yield { error: new ApiError('not_postable', message), slide: null, measured, limit };
  }
  yield* imageProblems(deps, content, carrier);
}

/** Images are checked again at send time, if a newer version goes out (D-45). */
export async function* imageProblems(
  deps: Pick<SchedulingDeps, 'slides'>,
  { images }: Pick<EventContent, 'images'>,
  { slides: limits }: Pick<Carrier, 'slides'>,
): AsyncGenerator<PostProblem> {
  if (images.length > limits.countMax) {
    const message = `The deck has ${images.length} slides; a post can hold ${limits.countMax}.`;
    yield {
      error: new ApiError('too_many_slides', message),
      slide: null,
      measured: images.length,
      limit: limits.countMax,
    };
  }
  for (const [at, image] of images.entries()) {
    const slide = at + 1;
    const facts = await deps.slides.facts(image.imageId);
    if (!facts) {
      const error = new ApiError(
        'slide_missing',
        `The file of slide ${slide} is gone; edit the content to render it again.`,
      );
      yield { error, slide, measured: null, limit: null };
      continue;
    }
    const found = findSlideProblem(slide, facts, limits);
    if (!found) continue;
    const { code, message, measured, limit } = found;
    yield { error: new ApiError(code, message), slide, measured, limit };
  }
}

/** Only of decks whose hooks are compared. */
async function* slidesProblems(
  { db }: SchedulingDeps,
  { content, at }: PostCheck,
  { id: platformAccountId, accountId }: PlatformAccount,
): AsyncGenerator<PostProblem> {
  if (content.experimentId === null || !content.result) return;
  const slidesDigest = digestSlides(content.result.bodySlides);
  const slides = { accountId, platformAccountId, contentId: content.id, slidesDigest };
  const refusal = await refusalOfSlides(db, slides, at);
  if (refusal) yield problem(refusal);
}

async function* privacyProblems(
  deps: SchedulingDeps,
  check: PostCheck,
  account: PlatformAccount,
): AsyncGenerator<PostProblem, OptionsAnswer | null> {
  const { mode, privacyLevel } = check;
  if (privacyLevel === undefined) {
    if (mode === 'publish') yield problem(new ApiError('missing_privacy_level'));
    return null;
  }
  const levels = account.privacyLevels;
  if (!isPrivacyLevel(privacyLevel)) {
    yield notAllowed(privacyLevel, levels.length > 0 ? levels : privacyLevels);
    return null;
  }
  // Known options decide at once. The platform is called only for a level that they lack, and never for a
  // draft (D-44): a grant for drafts alone has no options.
  if (levels.includes(privacyLevel)) return null;
  if (mode === 'publish') return yield* platformProblems(deps, check, account);
  if (levels.length > 0) yield notAllowed(privacyLevel, levels);
  return null;
}

async function* platformProblems(
  deps: SchedulingDeps,
  { privacyLevel, isImmediate }: PostCheck,
  account: PlatformAccount,
): AsyncGenerator<PostProblem, OptionsAnswer | null> {
  if (account.status !== 'connected' || !account.scopes.includes('video.publish')) return null;
  const answer = await askCreator(deps, account, isImmediate);
  if (answer.kind !== 'ok') {
    yield problem(refusalOf(carrierOf(deps, account), answer));
    return { settings: null };
  }
  const { privacyLevels: allowed } = answer.value;
  // A level that no account has was reported as a problem earlier.
  if (isPrivacyLevel(privacyLevel) && !allowed.includes(privacyLevel))
    yield notAllowed(privacyLevel, allowed);
  return { settings: answer.value };
}

/**
 * A post now calls the platform, and its send a moment later reuses the answer: a refusal is found before a
 * row is written. If the platform limits the call, known options are used: the post is paced, not refused.
 */
async function askCreator(
  deps: SchedulingDeps,
  account: PlatformAccount,
  isImmediate: boolean,
): Promise<AccountAnswer<CreatorSettings>> {
  if (!isImmediate) return await getCreatorSettings(deps, account, creatorFreshMs);
  const answer = await getCreatorSettings(deps, account, 0);
  const isTooOften = answer.kind === 'refused' && answer.code === 'rate_limit_exceeded';
  return isTooOften ? await getCreatorSettings(deps, account, creatorFreshMs) : answer;
}

function isPrivacyLevel(text: string | undefined): text is PrivacyLevel {
  return privacyLevels.includes(text as PrivacyLevel);
}

function refusalOf(carrier: Carrier, answer: Exclude<AccountAnswer<unknown>, { kind: 'ok' }>): ApiError {
  if (answer.kind === 'account') return new ApiError(answer.code);
  // The status of a trouble that may end is that of an outage: an automation's request waits.
  if (answer.kind === 'refused') {
    const status = answer.code === 'rate_limit_exceeded' ? 502 : 409;
    return new ApiError('tiktok_create_failed', answer.message, { status });
  }
  if (answer.kind === 'not_renewed') {
    return new ApiError('tiktok_create_failed', notRenewed(carrier, answer.code).message, { status: 502 });
  }
  return new ApiError(
    'tiktok_create_failed',
    `${carrier.name} could not be reached; nothing was scheduled.`,
    {
      status: 502,
      cause: answer.reason,
    },
  );
}

function notAllowed(level: string, allowed: readonly string[]): PostProblem {
  const limit = allowed.join(', ');
  const message = `privacyLevel must be one that the account allows: ${limit || 'none at the moment'}`;
  return { error: new ApiError('invalid_privacy_level', message), slide: null, measured: level, limit };
}

function problem(error: ApiError): PostProblem {
  return { error, slide: null, measured: null, limit: null };
}
