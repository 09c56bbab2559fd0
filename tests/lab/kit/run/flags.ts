/** The flag parser of `npm run prove` and `npm run bench`. */
import { parseArgs } from 'node:util';

/** `usual` is the value without the flag and sets its type: `false` makes a switch, `''` an optional text. */
export type Flag = { about: string; usual: number | string | false };
export type Flags = Readonly<Record<string, Flag>>;
export type FlagValues<F extends Flags> = {
  [Name in keyof F]: F[Name]['usual'] extends number
    ? number
    : F[Name]['usual'] extends string
      ? string
      : boolean;
};

/** A usage mistake, or a program that is not installed: exit code 2. The message says what would be right. */
export class UsageError extends Error {}

/** @throws UsageError for an undeclared flag, a missing value, or a value of the wrong type */
export function parseFlags<F extends Flags>(flags: F, args: readonly string[]): FlagValues<F> {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { usual }]) => [
      name,
      { type: usual === false ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const values = parsed(args, options, flags);
  return Object.fromEntries(
    Object.entries(flags).map(([name, { usual }]) => [name, readValue(name, usual, values[name])]),
  ) as FlagValues<F>;
}

function parsed(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object,
  flags: Flags,
): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${sentence}. Flags: ${describeFlags(flags) || 'none'}.`);
  }
}

function readValue(name: string, usual: Flag['usual'], given: unknown): number | string | boolean {
  if (given === undefined) return usual;
  if (typeof usual !== 'number') return given as string | boolean;
  const value = Number(given);
  if (given === '' || !Number.isFinite(value) || value <= 0)
    throw new UsageError(`--${name} takes a number above 0, not "${given}".`);
  return value;
}

export function describeFlags(flags: Flags): string {
  return Object.entries(flags)
    .map(([name, { about, usual }]) => {
      const value = typeof usual === 'number' ? ' <n>' : usual === false ? '' : ' <text>';
      return `--${name}${value} (${about})`;
    })
    .join(', ');
}
