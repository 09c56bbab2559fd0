import { ConfigurationError } from '@hookline/shared/kernel';

/**
 * Runs an operator command. A false result is exit code 1; a mistake or an unreachable server is reported in
 * one sentence, a defect of ours with its stack.
 * @param notDoneCode exit code of the latter three
 */
export async function runCommand(
  name: string,
  work: () => Promise<boolean>,
  notDoneCode: 1 | 2 = 1,
): Promise<void> {
  try {
    process.exitCode = (await work()) ? 0 : 1;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    // A connection that ends has no code, nor does a Postgres of the data folder that does not start.
    const isTold = error instanceof ConfigurationError || (error as Error).constructor === Error;
    if (isTold || /^(E[A-Z]+|08|25|28|3D|42|53|55|57)/.test(code))
      console.error(`hookline ${name}: ${message}${/[.!]$/.test(message) ? '' : '.'}`);
    else console.error(error);
    process.exitCode = notDoneCode;
  }
}
