/** The texts of the management screens, one block each. */
export const manageTexts = {
  automations: {},
  apps: {},
  accounts: {},
  webhooks: {},
  events: {},
  keys: {},
  credits: {},
  usage: {},
  numbers: {},
  members: {},
  audit: {},
  settings: {},
} as const;
