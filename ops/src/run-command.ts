import { ConfigurationError } from '@hookline/shared/kernel';

/**
 * Runs an operator command. A false result is exit code 1; a mistake or an unreachable server is reported in
 * one sentence.
 * @param notDoneCode exit code of the latter
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
    const isTold = error instanceof ConfigurationError || code.startsWith('ERR_PARSE_ARGS');
    if (!isTold && !/^(E[A-Z]+|28|3D|42|08|55|57)/.test(code)) throw error;
    console.error(`hookline ${name}: ${message}${/[.!]$/.test(message) ? '' : '.'}`);
    process.exitCode = notDoneCode;
  }
}
