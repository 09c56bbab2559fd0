import { creditSettings, grantCredits } from '@hookline/content/ops';
import { findUserByEmail, recordCommand } from '@hookline/gateway/ops';
import { ConfigurationError, loadSettings } from '@hookline/shared/kernel';
import { defineCommand } from './command.ts';
import { type OperatorTarget, withTarget } from './target.ts';

export const command = defineCommand({
  does: 'adds credits to an account, once per reference',
  words: ['grant'],
  options: {
    email: { type: 'string', value: 'address', says: 'who signed up with it' },
    account: { type: 'string', value: 'id', says: 'the account instead of its e-mail address' },
    amount: { type: 'string', value: 'n', says: 'credits, from 1 to 1,000,000' },
    reference: { type: 'string', value: 'text', says: 'what they are for; the same one is granted once' },
  },
  run({ env, values, print }) {
    const { email, account, amount, reference } = values;
    return grant(env, { email, accountId: account, amount, reference }, print);
  },
});

export type GrantOptions = {
  /** Either of the two names the account. */
  email?: string | undefined;
  accountId?: string | undefined;
  amount: string | undefined;
  reference: string | undefined;
};

const amountMax = 1_000_000;
const referenceMax = 200;

/**
 * @returns false when the reference belongs to another grant. @throws ConfigurationError with one sentence
 */
export async function grant(
  env: Record<string, string | undefined>,
  options: GrantOptions,
  print: (line: string) => void,
): Promise<boolean> {
  const amount = Number(/^\d{1,7}$/.exec(options.amount ?? '')?.[0]);
  if (!(amount >= 1 && amount <= amountMax))
    throw new ConfigurationError(`--amount must be an integer from 1 to ${amountMax}.`);
  const reference = options.reference?.trim() ?? '';
  if (reference === '' || reference.length > referenceMax)
    throw new ConfigurationError(
      `--reference must say what it is for in 1 to ${referenceMax} characters: the same one is granted once.`,
    );
  const { SIGNUP_CREDITS } = loadSettings(creditSettings, env);
  return await withTarget(env, {}, async target => {
    const accountId = await findAccount(target, options);
    const deps = { db: target.openSchema('content'), now: () => new Date(), signupCredits: SIGNUP_CREDITS };
    const outcome = await grantCredits(deps, { accountId, amount, reference });
    if (outcome.kind === 'other_grant') {
      const whose = outcome.isSameAccount ? 'this account' : 'another account';
      print(
        `"${reference}" was granted before: ${outcome.amount} credits to ${whose}. Nothing was granted now.`,
      );
      return false;
    }
    // After the grant, in another schema: a repeat writes the row of a command that ended between the two.
    await recordCommand(target.openSchema('gateway'), accountId, {
      command: 'credits grant',
      ...{ amount, reference, isRepeat: outcome.kind === 'already_granted' },
    });
    const what = outcome.kind === 'granted' ? `${amount} credits granted` : 'Granted before, nothing changed';
    print(`${what}; the balance is ${outcome.balance}.`);
    return true;
  });
}

async function findAccount(target: OperatorTarget, { email, accountId }: GrantOptions): Promise<string> {
  if ((email === undefined) === (accountId === undefined))
    throw new ConfigurationError('Name the account with either --email or --account.');
  if (email === undefined) {
    if (!/^acct_[0-9a-z]{26}$/.test(accountId ?? ''))
      throw new ConfigurationError('--account must be an account id, acct_ and 26 characters.');
    return accountId ?? '';
  }
  const user = await findUserByEmail(target.openSchema('gateway'), email);
  if (!user) throw new ConfigurationError(`Nobody has signed up as ${email}.`);
  return user.accountId;
}
