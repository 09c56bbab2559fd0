/** Defects that more than one scenario plants. */
import type { Planting } from '../product/planted.ts';

/**
 * Scheduling: links of an unanswered call stay open and pulls leave no trace, so a repeated call posts again.
 */
export const fenceOff: readonly Planting[] = [
  {
    file: 'src/queries/attempts.ts',
    find: 'where a.media_digest = $1 and a.links_closed_at is null and',
    replace: 'where a.media_digest = $1 and',
  },
  {
    file: 'src/actions/serve-slide.ts',
    find: '!(await recordPull(db, found.attemptId, now()))',
    replace: '(recordPull as unknown) === now',
  },
];
