/** The definition of a subcommand of `npm run ops`, and the only parser of its arguments. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigurationError } from '@hookline/shared/kernel';

export type Env = Record<string, string | undefined>;
export type Print = (line: string) => void;

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** Its explanation in `help`. */
  says: string;
  /** The placeholder of a string option's value in `help`. */
  value?: string;
};
type Options = Record<string, Option>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

export type Call<O extends Options> = {
  env: Env;
  values: Values<O>;
  /** The positional arguments, as many as `words` names. */
  given: string[];
  print: Print;
};

type Definition<O extends Options> = {
  /** Its description in the list of `help`. */
  does: string;
  /** Required positional arguments: `<id>` for any value, otherwise that exact word. */
  words?: readonly string[];
  options?: O;
  /**
   * @returns false for a negative result; exit code 1. @throws ConfigurationError with one sentence; exit
   * code 2
   */
  run(call: Call<O>): Promise<boolean>;
};

export type Command = {
  does: string;
  usage(name: string): string;
  /** Explains the options, one per line. */
  options: string[];
  run(name: string, args: readonly string[], env: Env, print: Print): Promise<boolean>;
};

export function defineCommand<const O extends Options = Record<string, never>>({
  does,
  words = [],
  options,
  run,
}: Definition<O>): Command {
  const given = (options ?? {}) as O;
  const usage = (name: string): string =>
    ['npm run ops --', name, ...words, ...Object.entries(given).map(writeOption)].join(' ');
  return {
    does,
    usage,
    options: Object.entries(given).map(([name, option]) => `${flagOf(name, option)}: ${option.says}`),
    async run(name, args, env, print) {
      const { values, positionals } = parseArgs({ args: [...args], options: given, allowPositionals: true });
      const fits =
        positionals.length === words.length &&
        words.every((word, at) => word.startsWith('<') || word === positionals[at]);
      if (!fits) throw new ConfigurationError(`It is called like this: ${usage(name)}.`);
      return await run({ env, values: values as Values<O>, given: positionals, print });
    },
  };
}

function flagOf(name: string, { type, value = name }: Option): string {
  return type === 'string' ? `--${name} <${value}>` : `--${name}`;
}

function writeOption([name, option]: [string, Option]): string {
  return `[${flagOf(name, option)}]`;
}
