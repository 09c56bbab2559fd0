import { findUserByEmail, removePasskeys } from '@hookline/gateway/ops';
import { defineCommand } from './command.ts';
import { withTarget } from './target.ts';

export const command = defineCommand({
  does: 'removes the passkeys and recovery codes of a person who has lost them: the password alone signs in again',
  words: ['<email>'],
  async run({ env, given: [email = ''], print }) {
    return await withTarget(env, {}, async target => {
      const db = target.openSchema('gateway');
      const user = await findUserByEmail(db, email);
      if (!user) {
        print(`Nobody has signed up as ${email}; nothing was removed.`);
        return false;
      }
      print(`${await removePasskeys(db, user)} passkeys of ${email} were removed.`);
      return true;
    });
  },
});
