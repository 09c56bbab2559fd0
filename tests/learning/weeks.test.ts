/** Twelve weeks of apps with known truth: what they post when the writer learns from results, and when not. */
import { type LearnedDeck, lessonOf } from '@hookline/analytics/testing';
import { chooseArchetype, chooseHook, type SeededRandom, seedRandom } from '@hookline/deck';
import { archetypes } from '@hookline/shared/contracts/brief';
import { formOfHook, type HookForm, hookForms, type Lesson } from '@hookline/shared/contracts/lesson';
import { expect, it } from 'vitest';

const [appsCount, weeks, postsPerWeek, optionsOfDeck] = [100, 12, 7, 3];
/** Standard deviation of what structures and forms are worth, in logarithms: a typical one is worth 1.4 times the average, or 0.7. */
const difference = 0.35;

const wordOf = (n: number) => [...`${n}`].map(digit => 'abcdefghij'[Number(digit)]).join('');

/** Hooks as a writer may offer them, no two alike. */
const hookOf: Record<HookForm, (n: number) => string> = {
  number: n => `3 things that ${wordOf(n)} changed`,
  question: n => `Why is ${wordOf(n)} so loud?`,
  short: n => `Nobody sees ${wordOf(n)}`,
  long: n => `What nobody tells you about ${wordOf(n)} when the night was far too short`,
};

function gauss(random: SeededRandom): number {
  const uniform = () => random.integer(1, 1_000_000) / 1_000_001;
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** @returns what each post was worth by its structure and hook, without the luck of a single one */
function postFor(app: number, learns: boolean): number[] {
  const draws = (purpose: string) => seedRandom(`app ${app}`, purpose);
  const worth = new Map<string, number>(
    [...archetypes, ...hookForms].map(kind => [kind, difference * gauss(draws(`worth ${kind}`))]),
  );
  const posts: (LearnedDeck & { worth: number })[] = [];
  let lesson: Lesson | undefined;
  for (let n = 0; n < weeks * postsPerWeek; n += 1) {
    const writer = draws(`writer ${n}`);
    const options = writer.shuffle(hookForms).slice(0, optionsOfDeck);
    const seed = `content ${app} ${n}`;
    const archetype = chooseArchetype([writer.pick(archetypes), ...archetypes], lesson, seed).value;
    const hook = chooseHook(
      options.map(form => hookOf[form](n)),
      lesson,
      seed,
    ).value;
    const level = worth.get(archetype)! + worth.get(formOfHook(hook))!;
    // One post in twenty has twenty times the views.
    const luck = gauss(draws(`luck ${n}`)) + (draws(`viral ${n}`).integer(1, 20) === 1 ? 3 : 0);
    const views = Math.round(Math.exp(6 + level + luck));
    const deck = {
      contentId: `content_${n}`,
      appId: 'app',
      tiktokAccountId: 'account',
      hook,
      archetype,
      views,
    };
    posts.unshift({ ...deck, worth: Math.exp(level) });
    if (learns && n % postsPerWeek === postsPerWeek - 1) lesson = lessonOf(posts);
  }
  return posts.map(post => post.worth);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (value: number) => value.toFixed(2);

it('twelve weeks of a post a day bring more views a post when the writer learns from results', () => {
  const lastMonth = 4 * postsPerWeek;
  const ratios = Array.from({ length: appsCount }, (_, app) => {
    const [learned, plain] = [postFor(app, true), postFor(app, false)];
    const last = mean(learned.slice(0, lastMonth)) / mean(plain.slice(0, lastMonth));
    return { all: mean(learned) / mean(plain), last };
  });
  const all = mean(ratios.map(ratio => ratio.all));
  const last = mean(ratios.map(ratio => ratio.last));
  const gained = ratios.filter(ratio => ratio.all > 1).length / appsCount;
  console.log(
    `Views per post, with the loop to without: ${shown(all)} over 12 weeks, ${shown(last)} in the last four. ` +
      `${Math.round(gained * 100)} of 100 apps gain.`,
  );
  expect(all).toBeGreaterThan(1.2);
  expect(last).toBeGreaterThan(all);
  expect(gained).toBeGreaterThan(0.9);
});
