import { ApiError } from '@hookline/shared/contracts';

const messages = {
  request: 'mode "publish" needs a key with the scope schedules:publish.',
  schedule: 'This schedule publishes: a key with the scope schedules:publish is needed.',
};

/**
 * @param of where the mode is: a request to create, or a schedule that is to be changed.
 * @throws ApiError `missing_scope` if a post would be published and the caller may only create drafts.
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
