import type { Transaction } from '@hookline/shared/postgres';

/** A write has one transaction, and records one time. */
export type WriteContext = { tx: Transaction; now: Date };
