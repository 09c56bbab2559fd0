/** The rules of a deck: its length, its brief, the order of its slides. Pure. */
export { compileAvoidedWords } from './avoided-words.ts';
export { type DeckToCheck, findBrokenBriefRules } from './brief-rules.ts';
export { findPromisedCount } from './count-promise.ts';
export * from './deck-plan.ts';
export { chooseArchetype, chooseHook, explainChoice, type Known } from './learned.ts';
export { type SeededRandom, seedRandom } from './seeded-random.ts';
export { listSlides, type Slide } from './slides.ts';
