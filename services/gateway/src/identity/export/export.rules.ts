import { dayMs } from '@hookline/shared/kernel/durations';

export const exportLifetimeMs = dayMs;

/** Exports of one workspace within 24 h. */
export const exportsPerDay = 5;
