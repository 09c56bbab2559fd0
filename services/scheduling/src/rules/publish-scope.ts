import { ApiError } from '@hookline/shared/contracts';

const messages = {
  request: 'mode "publish" needs a key with the scope schedules:publish.',
  schedule: 'This schedule publishes: a key with the scope schedules:publish is needed.',
};

/**
 * @param of what has the mode: a request to create, or a schedule that is to be moved or retried.
 * @throws ApiError `missing_scope` when a post would be published and the caller may only make drafts.
 */
export function requirePublishScope(
  of: keyof typeof messages,
  mode: 'draft' | 'publish',
  { scopes }: { scopes: readonly string[] },
): void {
  if (mode === 'publish' && !scopes.includes('schedules:publish')) {
    throw new ApiError('missing_scope', messages[of]);
  }
}
