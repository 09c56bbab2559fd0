/** What squawk is not asked, and what it is told to pass over; each with its reason. */

/** @property file from the repository's root */
export type Exception = { file: string; rules: readonly string[]; why: string };

export const rulesOff: readonly { rule: string; why: string }[] = [
  {
    rule: 'require-lock-timeout',
    why: 'packages/shared/src/migrate.ts sets it for each file, and tries again',
  },
  {
    rule: 'require-statement-timeout',
    why: 'a statement that has its locks may take its time; the Job of Kubernetes ends after 15 min',
  },
  {
    rule: 'prefer-bigint-over-int',
    why: 'integers count what is bounded (slides, attempts, versions); sequences and totals are bigint',
  },
];

/** The runner puts each file into one transaction, in which nothing can be made concurrently. */
const beforeFirstRelease = '0.1.0 was installed nowhere: these tables are empty when the file runs';

export const exceptions: readonly Exception[] = [
  {
    file: 'services/analytics/migrations/0003_collecting.sql',
    rules: ['renaming-table', 'require-concurrent-index-deletion'],
    why: `it says "breaking" in its first line; ${beforeFirstRelease}`,
  },
  {
    file: 'services/automation/migrations/0003_retention.sql',
    rules: ['require-concurrent-index-creation'],
    why: beforeFirstRelease,
  },
  {
    file: 'services/automation/migrations/0005_lean_deliveries.sql',
    rules: [
      'disallowed-unique-constraint',
      'constraint-missing-not-valid',
      'require-concurrent-index-deletion',
    ],
    why: beforeFirstRelease,
  },
  {
    file: 'services/content/migrations/0004_grant_references.sql',
    rules: ['constraint-missing-not-valid', 'require-concurrent-index-creation'],
    why: beforeFirstRelease,
  },
  {
    file: 'services/content/migrations/0005_list_filters.sql',
    rules: ['require-concurrent-index-creation'],
    why: beforeFirstRelease,
  },
  {
    file: 'services/scheduling/migrations/0004_claims.sql',
    rules: ['require-concurrent-index-creation'],
    why: beforeFirstRelease,
  },
  {
    file: 'services/scheduling/migrations/0005_requeued.sql',
    rules: ['ban-drop-not-null', 'constraint-missing-not-valid', 'require-concurrent-index-creation'],
    why: beforeFirstRelease,
  },
];
