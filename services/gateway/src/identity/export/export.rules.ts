import { dayMs } from '@hookline/shared/kernel/durations';

/** Lifetime of an export and of its link. */
export const exportLifetimeMs = dayMs;

/** Exports of one workspace within 24 h. */
export const exportsPerDay = 5;
