import { manageTexts } from '../../texts/manage.ts';

const words = manageTexts.settings;

/** The titles of the sections of Settings by their places in its address. */
export const sections = {
  workspace: words.workspace,
  policy: words.policy,
  model: manageTexts.textModel.title,
  mails: manageTexts.notifications.title,
  push: manageTexts.push.title,
  password: words.password,
  passkeys: manageTexts.passkeys.title,
  sessions: words.sessions,
  export: manageTexts.exports.title,
  leaving: manageTexts.leaving.title,
};
