/** The texts of fields for times, and of the line that offers the zone of the browser. */
export const zoneTexts = {
  clock: 'Time',
  differ: (own: string, workspace: string) =>
    `Your browser is in ${own}, the workspace in ${workspace}. Use ${own}?`,
  use: (own: string) => `Use ${own}`,
  keep: (workspace: string) => `Keep ${workspace}`,
} as const;
