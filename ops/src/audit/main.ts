/** `npm run audit-check`: names what TikTok's reviewers would refuse. */
import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { ConfigurationError, inheritedEnvironment } from '@hookline/shared/kernel';
import { runCommand } from '../run-command.ts';
import { findRefusals } from './checks.ts';
import { outside } from './outside.ts';

const options = {
  'env-file': { type: 'string' },
  website: { type: 'string' },
  'signature-file': { type: 'string' },
} as const;

await runCommand('audit-check', async () => {
  const { values } = parseArgs({ options });
  const { website, 'signature-file': signatureFile, 'env-file': file } = values;
  for (const address of [website, signatureFile]) {
    if (address !== undefined && !(address.startsWith('https://') && URL.canParse(address))) {
      throw new ConfigurationError(`${address} must be an https address`);
    }
  }
  const env = { ...inheritedEnvironment(), ...(file && parseEnv(readFileSync(file, 'utf8'))) };
  const findings = await findRefusals(env, { website, signatureFile }, outside);
  for (const { about, seen, refused } of findings) {
    console.log(`${refused === null ? 'ok     ' : 'refused'}  ${about.padEnd(16)}  ${seen}`);
    if (refused !== null) console.log(`${' '.repeat(27)}${refused}`);
  }
  return findings.every(({ refused }) => refused === null);
});
