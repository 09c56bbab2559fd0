import { parseArgs } from 'node:util';
import { ConfigurationError, inheritedEnvironment } from '@hookline/shared/config';
import { grant } from './credits.ts';
import { runCommand } from './run-command.ts';

await runCommand('credits', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      account: { type: 'string' },
      amount: { type: 'string' },
      reference: { type: 'string' },
    },
  });
  if (positionals.length !== 1 || positionals[0] !== 'grant') {
    throw new ConfigurationError(
      'Say what to do: npm run credits -- grant --email <address> --amount <n> --reference <text>.',
    );
  }
  const { account, ...rest } = values;
  const options = { email: rest.email, accountId: account, amount: rest.amount, reference: rest.reference };
  return await grant(inheritedEnvironment(), options, line => console.log(line));
});
