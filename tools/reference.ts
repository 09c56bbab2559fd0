/** Prints a reference that is generated from the code: `npm run reference -- <name>`, without a name their list. */
import { references } from './generate/references.ts';

const [name] = process.argv.slice(2);
const page = name === undefined ? undefined : references[name];
if (page !== undefined) process.stdout.write(page());
else {
  const names = Object.keys(references).join(', ');
  console.error(`npm run reference -- <name>, where the name is one of: ${names}.`);
  process.exitCode = name === undefined ? 0 : 2;
}
