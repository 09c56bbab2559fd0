/** A platform's code or reason is explained in words for the owner. */
import type { ScheduleFailure, ScheduleMode } from '@hookline/shared/contracts/schedules';
import { minuteMs } from '@hookline/shared/kernel/durations';
import type { Carrier, Reason } from './carrier.rules.ts';

type Category = ScheduleFailure['category'];
type Words = Pick<Carrier, 'name' | 'reasons'>;

/** An unknown reason has no words of its own. */
export function reasonOf({ reasons }: Pick<Carrier, 'reasons'>, reason: string): Reason | undefined {
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}

/** API-4 has one code for each mode. */
function refusalCode(mode: ScheduleMode): 'tiktok_create_failed' | 'tiktok_publish_failed' {
  return mode === 'draft' ? 'tiktok_create_failed' : 'tiktok_publish_failed';
}

/** Unknown reasons count as rejected, final. */
export function platformFailure(
  words: Words,
  mode: ScheduleMode,
  reason: string,
  platformMessage: string | null,
): ScheduleFailure {
  const entry = reasonOf(words, reason);
  return {
    code: entry?.code ?? refusalCode(mode),
    category: entry?.category ?? 'platform_rejected',
    message: entry?.message ?? `${words.name} rejected the post.`,
    retryable: entry?.retryable ?? false,
    platformMessage: platformMessage ?? reason,
  };
}

export function ownFailure(
  code: string,
  category: Category,
  message: string,
  retryable: boolean,
): ScheduleFailure {
  return { code, category, message, retryable, platformMessage: null };
}

/** The platform refused the call, or a query before it. */
export function refusalFailure(
  words: Words,
  mode: ScheduleMode,
  code: string,
  message: string,
): ScheduleFailure {
  return code === 'scope_not_authorized'
    ? accountFailure('account_needs_reauth')
    : platformFailure(words, mode, code, message);
}

/** A frozen workspace waits for its deletion; once it is restored, a retry sends the post. */
export function workspaceFrozen(): ScheduleFailure {
  return ownFailure(
    'workspace_frozen',
    'account',
    'The workspace was about to be deleted when the post was due. Restore the workspace, then try again.',
    true,
  );
}

export function notPostable(code: string, message: string): ScheduleFailure {
  return ownFailure(code, 'content', message, false);
}

export function rejected(): ScheduleFailure {
  return ownFailure('not_approved', 'content', 'The content was rejected before it was sent.', false);
}

export function outcomeUnknown({ name }: Words): ScheduleFailure {
  return ownFailure(
    'outcome_unknown',
    'outcome_unknown',
    `${name} never said whether the post was made. Look at the ${name} account before scheduling it again.`,
    false,
  );
}

/** The schedule may have been posted after the backup that the data were restored from. */
export function unknownSince(backupAt: Date): ScheduleFailure {
  return ownFailure(
    'outcome_unknown',
    'outcome_unknown',
    `The data were restored from a backup of ${backupAt.toISOString()}, and the post may have been made since. Look at the account before scheduling it again.`,
    false,
  );
}

/** The schedule may have been moved to an earlier time and posted after that backup. */
export function keptBackSince(backupAt: Date): string {
  return `the data were restored from a backup of ${backupAt.toISOString()}, and it may have been moved and posted since: look at the account, then give it a time again or delete it`;
}

export function unreachable({ name }: Words, mode: ScheduleMode, reason: string): ScheduleFailure {
  return {
    // An unreachable platform is tiktok_create_failed, whatever the mode (D-43).
    code: 'tiktok_create_failed',
    category: 'platform_unavailable',
    message: `${name} could not be reached, and no ${mode === 'draft' ? 'draft' : 'post'} was made. Try again.`,
    retryable: true,
    platformMessage: reason,
  };
}

/** Every account gets these errors of OAuth: they are about our client. */
const clientErrors = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_request',
  'invalid_scope',
]);

/** A refused renewal of this kind says nothing about the account. */
export function isClientError(code: string): boolean {
  return clientErrors.has(code);
}

/** The platform did not end the grant, which only `invalid_grant` does. */
export function notRenewed({ name }: Words, code: string): ScheduleFailure {
  const what = `${name} refused to renew the access to this account (${code}), and no post was made.`;
  return isClientError(code)
    ? ownFailure(
        'tiktok_create_failed',
        'internal',
        `${what} The operator must check the ${name} app of this installation; then try again.`,
        true,
      )
    : ownFailure('account_needs_reauth', 'account', `${what} Connect it again, then try again.`, true);
}

/** Sending was paused, no worker ran, or the account's pace left no turn. */
export function missed(mode: ScheduleMode, lateMaxMs: number): ScheduleFailure {
  const minutes = lateMaxMs / minuteMs;
  const limit = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  return ownFailure(
    'missed',
    'internal',
    `It could not be sent within ${limit} of its time, so no ${mode === 'draft' ? 'draft' : 'post'} was made. Try again to send it now.`,
    true,
  );
}

/** One of our own services was away for too long, and the platform was not asked. */
export function ownServiceAway(mode: ScheduleMode): ScheduleFailure {
  return ownFailure(
    'service_unavailable',
    'internal',
    `Part of the service was unavailable for too long, so no ${mode === 'draft' ? 'draft' : 'post'} was made. Try again.`,
    true,
  );
}

export function accountFailure(code: 'account_not_connected' | 'account_needs_reauth'): ScheduleFailure {
  const message =
    code === 'account_not_connected'
      ? 'The account is disconnected. Connect it again, then try again.'
      : 'The account needs a new sign-in. Connect it again, then try again.';
  return ownFailure(code, 'account', message, true);
}
