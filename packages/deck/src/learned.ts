import { archetypes } from '@hookline/shared/contracts/brief';
import { formOfHook, type HookForm, type Lesson, noNumbers } from '@hookline/shared/contracts/lesson';
import { type SeededRandom, seedRandom } from './seeded-random.ts';

type Archetype = (typeof archetypes)[number];
/** What is known of an option. `decks` is 0 where it has no numbers. */
export type Known = { about: 'hook' | HookForm | Archetype; decks: number; mean: number; sd: number };
type Option = Known & { value: string };

/** `known` is null where there was nothing to choose by. */
export type Chosen<T extends string> = { value: T; known: Known | null };

/**
 * One of the hooks by Thompson sampling: the best of one draw each. A hook that was posted counts by its own
 * numbers, others by those of hooks of their form. Of equal ones, and without a lesson, the first.
 */
export function chooseHook(
  hooks: readonly string[],
  lesson: Lesson | undefined,
  seed: string,
): Chosen<string> {
  const posted = lesson ? [...lesson.best, ...lesson.worst] : [];
  const options = hooks.map((value): Option => {
    const own = posted.find(hook => hook.value === value);
    if (own) return { ...own, about: 'hook' };
    const form = formOfHook(value);
    return { ...knownOf(lesson?.forms, form), about: form, value };
  });
  return choose(options, hooks, lesson, seed);
}

/** One of the structures that are usual or have numbers, as `chooseHook` does. */
export function chooseArchetype(
  usual: readonly Archetype[],
  lesson: Lesson | undefined,
  seed: string,
): Chosen<Archetype> {
  const tried = archetypes.filter(name => lesson?.archetypes.some(({ value }) => value === name));
  const names = [...new Set([...usual, ...tried])];
  const options = names.map(
    (value): Option => ({ ...knownOf(lesson?.archetypes, value), about: value, value }),
  );
  return choose(options, names, lesson, seed);
}

function knownOf(posteriors: Lesson['forms'] = [], value: string) {
  return posteriors.find(one => one.value === value) ?? { ...noNumbers, decks: 0 };
}

function choose<T extends string>(
  options: readonly Option[],
  values: readonly T[],
  lesson: Lesson | undefined,
  seed: string,
): Chosen<T> {
  const isAlike = new Set(options.map(nameOf)).size < 2;
  if (!lesson || lesson.forms.length === 0 || isAlike) return { value: values[0]!, known: null };
  const draws = options.map(option => option.mean + option.sd * gauss(seedRandom(seed, nameOf(option))));
  const place = draws.indexOf(Math.max(...draws));
  const { about, decks, mean, sd } = options[place]!;
  return { value: values[place]!, known: { about, decks, mean, sd } };
}

/** Hooks of one form share a draw. */
const nameOf = ({ about, value }: Option) => `learned ${about === 'hook' ? `hook ${value}` : about}`;

const resolution = 2 ** 31 - 1;
const uniform = (random: SeededRandom) => random.integer(1, resolution) / resolution;

function gauss(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
}

const named: Record<Exclude<Known['about'], 'hook'>, string> = {
  number: 'hooks with a number',
  question: 'hooks that ask a question',
  short: 'short hooks',
  long: 'long hooks',
  listicle: 'lists',
  transformation: 'stories of a change',
  pov_results: 'scenes',
  authority: 'posts that teach one thing',
  motivational: 'encouraging posts',
};

/** One line for people on why a hook or a structure was chosen. */
export function explainChoice({ about, decks, mean }: Known): string {
  const posts = decks === 1 ? '1 post' : `${decks} posts`;
  const unsettled = decks === 1 ? '1 post does not settle' : `${decks} posts do not settle`;
  const lift = Math.round(Math.exp(mean) * 10) / 10;
  const got = `about ${lift} times the views of this app's other posts (${posts})`;
  if (about === 'hook') {
    return lift > 1 ? `This hook got ${got}.` : `This hook is tried again: ${unsettled} it.`;
  }
  const name = named[about];
  if (decks === 0) return `A try: there are no numbers yet for ${name}.`;
  if (lift > 1) return `${name[0]!.toUpperCase()}${name.slice(1)} got ${got}.`;
  return `A try: ${unsettled} yet what ${name} bring.`;
}
