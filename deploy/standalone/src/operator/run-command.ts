import { ConfigurationError } from '@hookline/shared/config';

/** Runs an operator command. False from the work, and every mistake told in one sentence, are exit code 1. */
export async function runCommand(name: string, work: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await work()) ? 0 : 1;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    const isTold = error instanceof ConfigurationError || code.startsWith('ERR_PARSE_ARGS');
    if (!isTold && !/^(E[A-Z]+|28|3D|42|08|57)/.test(code)) throw error;
    console.error(`hookline ${name}: ${message}${/[.!]$/.test(message) ? '' : '.'}`);
    process.exitCode = 1;
  }
}
