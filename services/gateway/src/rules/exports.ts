/** Lifetime of an export and of its link. */
export const exportLifetimeMs = 24 * 3_600_000;

/** Exports of one workspace within 24 h. */
export const exportsPerDay = 5;
