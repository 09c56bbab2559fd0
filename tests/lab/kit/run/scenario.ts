/** The declaration of a scenario, and the context that the runner passes to it. */
import { describeFlags, type Flags, type FlagValues, parseFlags, UsageError } from './flags.ts';

export type Figures = Record<string, number | string>;

export type Outcome = {
  /** True when every invariant held and enough happened to show it. */
  isProven: boolean;
  /** In the order in which they are printed and recorded. */
  figures: Figures;
};

export type Given<F extends Flags = Flags, P extends string = string> = {
  /** `.cache/proofs/<name>`: emptied at the start, kept at the end so that a history can be read. */
  folder: string;
  /** `--minutes`, or the default with or without `--long`; 0 where the scenario has no such flag. */
  minutes: number;
  /** True when `--minutes` was given. */
  isTimed: boolean;
  isLong: boolean;
  /** The defect to plant into a copy of the product; null: none. */
  plant: P | null;
  flags: FlagValues<F>;
};

export type Scenario<F extends Flags = Flags, P extends string = string> = {
  /** One line. */
  about: string;
  /** Usual duration without flags, in words. */
  takes: string;
  /** Declares `--minutes`: the length of the disturbed part, without and with `--long`. */
  minutes?: { usual: number; long?: number };
  /** Declares `--long`: its effect. */
  long?: string;
  flags?: F;
  /** Declares `--plant`: the defects that the run must find, one line each. A planted run must fail. */
  plants?: Readonly<Record<P, string>>;
  run(given: Given<F, P>): Promise<Outcome>;
};

/** Preserves the types of the flags and the names of the plants. */
export function defineScenario<const F extends Flags = Record<never, never>, P extends string = never>(
  scenario: Scenario<F, P>,
): Scenario {
  return scenario as unknown as Scenario;
}

export type Command = Pick<Given, 'minutes' | 'isTimed' | 'isLong' | 'plant' | 'flags'> & {
  isRecorded: boolean;
};

/** @throws UsageError for anything that the scenario does not declare */
export function readCommand(scenario: Scenario, args: readonly string[]): Command {
  const values = parseFlags(allFlags(scenario), args) as Record<string, number | string | boolean>;
  const plant = (values.plant as string) || null;
  const plants = Object.keys(scenario.plants ?? {});
  if (plant !== null && !plants.includes(plant))
    throw new UsageError(`There is no plant "${plant}". Plants: ${plants.join(', ')}.`);
  const isLong = values.long === true;
  const { usual = 0, long = usual } = scenario.minutes ?? {};
  const isTimed = args.some(arg => arg === '--minutes' || arg.startsWith('--minutes='));
  return {
    minutes: isTimed ? (values.minutes as number) : isLong ? long : usual,
    isTimed,
    isLong,
    plant,
    isRecorded: values.record === true,
    flags: Object.fromEntries(
      Object.keys(scenario.flags ?? {}).map(name => [name, values[name]]),
    ) as Command['flags'],
  };
}

function allFlags({ minutes, long, plants, flags }: Scenario): Flags {
  return {
    ...(minutes === undefined ? {} : { minutes: { usual: minutes.usual, about: 'length of the run' } }),
    ...(long === undefined ? {} : { long: { usual: false, about: long } }),
    ...(plants === undefined
      ? {}
      : { plant: { usual: '', about: `a defect to find: ${Object.keys(plants).join(', ')}` } }),
    ...flags,
    record: { usual: false, about: 'keeps the result under docs/proofs' },
  };
}

/** One line of `npm run prove`. */
export function describeScenario(name: string, scenario: Scenario): string {
  const { record, ...own } = allFlags(scenario);
  const flags = describeFlags(own);
  return `  ${name.padEnd(12)} ${scenario.about} (${scenario.takes})${flags && `\n${' '.repeat(15)}${flags}`}`;
}
