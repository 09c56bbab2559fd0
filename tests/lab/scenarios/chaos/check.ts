/**
 * The offline checker: judges a run from the history, the databases and the platform's own log, without
 * asking the product.
 */

import { checkPosting } from '../../kit/checks/posting.ts';
import { openVerdicts, type Verdicts } from '../../kit/checks/verdict.ts';
import { type AccessFigures, checkAccess } from './check-access.ts';
import { checkContents, checkLedger } from './check-contents.ts';
import { checkDeliveries, type DeliveryFigures } from './check-deliveries.ts';
import { checkOutside, postingRun } from './check-posts.ts';
import { checkRest } from './check-rest.ts';
import { checkSlots } from './check-slots.ts';
import { invariants, type Run } from './invariants.ts';

export type ChaosFigures = {
  contents: number;
  charged: number;
  schedules: number;
  posts: number;
  ambiguous: number;
  failed: number;
  slots: number;
} & DeliveryFigures &
  AccessFigures;

export type ChaosVerdict = {
  /** The posting proof's invariants first, then those of `invariants`. */
  verdicts: readonly Verdicts[];
  figures: ChaosFigures;
};

export function checkChaos(run: Run): ChaosVerdict {
  const verdicts = openVerdicts(Object.values(invariants));
  checkContents(run, verdicts);
  checkLedger(run, verdicts);
  const { lines, platform, database } = postingRun(run);
  const posting = checkPosting(lines, platform, database);
  checkOutside(run, platform, verdicts);
  const deliveries = checkDeliveries(run, verdicts);
  const access = checkAccess(run, verdicts);
  const slots = checkSlots(run, verdicts);
  checkRest(run, verdicts);
  const { told, posts, ambiguous, failed } = posting.figures;
  return {
    verdicts: [posting.verdicts, verdicts],
    figures: {
      contents: run.evidence.contents.length,
      charged: run.evidence.ledger.reduce((sum, row) => sum + row.charged, 0),
      schedules: told,
      ...{ posts, ambiguous, failed, slots },
      ...deliveries,
      ...access,
    },
  };
}
