import { resolve } from 'node:path';
import { copyDataFolder } from '@hookline/embedded/backup';
import { defineCommand } from './command.ts';
import { findDataFolder } from './target.ts';

export const command = defineCommand({
  does: 'copies the data folder of a stopped `npm start` into a new folder; elsewhere use pg_dump',
  words: ['<folder>'],
  async run({ env, given, print }) {
    const folder = resolve(given[0] ?? '');
    const takenAt = await copyDataFolder(await findDataFolder(env), folder);
    print(`${folder} has everything as of ${takenAt}, the encryption keys too: keep it from others.`);
    print(
      `To go back to it: DATA_DIR='${folder}' npm run ops -- close-after, then start with that DATA_DIR.`,
    );
    return true;
  },
});
