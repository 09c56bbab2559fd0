/** The writer's data files: what each must hold, and the one way to read them. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const texts = z.array(z.string().min(1));

/** A text, or one that is used only when a word of `when` occurs in the listing or the topic; an empty `when` is always. */
const entry = z.union([z.string().min(1), z.strictObject({ text: z.string().min(1), when: texts })]);
const entries = z.array(entry);

/** A deck of one archetype: the hooks are those that its slides keep; `captions` are about this very deck. */
const unit = z.strictObject({ when: texts, hooks: texts, captions: texts });

/**
 * Slides of which every one answers every hook of the list, in an order of which any part reads well. Hooks hold {n}, and may hold
 * {aud}. A line of the listing that holds a word of `admits` may stand among them.
 */
const list = unit.extend({ points: texts, admits: texts });
const lesson = unit.extend({
  belief: z.string(),
  why: z.string(),
  rule: z.string(),
  example: z.string(),
  limit: z.string(),
});
const change = unit.extend({ old: texts, turn: z.string(), steps: texts, still: z.string() });
const scene = unit.extend({ beats: texts, reveal: z.string() });
const spark = unit.extend({ recognise: z.string(), lower: z.string(), build: texts, today: z.string() });

/** The phrases of one family of store categories, in a JSON file that a copywriter edits; the fields are shown in `default.json`. */
export const packSchema = z.strictObject({
  id: z.string().min(1),
  categories: texts,
  keywords: texts,
  /** The category alone is too wide; at least one keyword must occur. */
  needsKeyword: z.boolean().optional(),
  /** The category alone decides, whatever the listing says: a game. */
  needsNoKeyword: z.boolean().optional(),
  /** Those of its categories in which most apps are something else: two keywords must occur. */
  wideCategories: texts.optional(),
  /** Plurals of people, lower case: "shift workers". The first stands for the rest where one is needed. */
  audiences: entries,
  /** `listicle`: covers with {n}, and maybe {aud}, that any of `advice` keeps. */
  hooks: z.strictObject({ listicle: entries, plain: entries }),
  advice: entries,
  lists: z.array(list),
  lessons: z.array(lesson),
  changes: z.array(change),
  scenes: z.array(scene),
  sparks: z.array(spark),
  lines: entries,
  captions: entries,
  soft: entries,
  direct: entries,
  hashtags: entries,
});

/** What people do with an app, whatever it is about: look, book, record, compare. */
const activity = z.strictObject({
  id: z.string().min(1),
  phase: z.number().int(),
  verbs: texts,
  things: texts,
  why: texts,
  advice: texts,
  after: texts,
  lists: texts,
  lessons: z.array(z.strictObject({ hooks: texts, belief: z.string(), why: z.string(), limit: z.string() })),
  changes: z.array(z.strictObject({ hooks: texts, old: texts, still: z.string() })),
  /** `said`: its hooks as they stand after "for studio potters:". */
  scenes: z.array(
    z.strictObject({ hooks: texts, said: texts, open: z.string(), close: z.string(), reveal: z.string() }),
  ),
  sparks: z.array(z.strictObject({ hooks: texts, recognise: z.string(), lower: z.string(), build: texts })),
  captions: texts,
});

const activityFrames = [
  'step',
  'rule',
  'turn',
  'beat',
  'today',
  'lists',
  'promises',
  'said',
  'saidScenes',
] as const;

export const activitiesSchema = z.strictObject({
  about: z.unknown(),
  lightVerbs: texts,
  /** How a thing that the listing names is used: "work from {noun}". */
  uses: z.array(z.strictObject({ things: texts, act: z.string() })),
  frames: z.record(z.enum(activityFrames), texts),
  activities: z.array(activity),
});

const topicFrames = [
  'counted',
  'listicle',
  'transformation',
  'pov_results',
  'authority',
  'motivational',
] as const;
const details = ['app', 'appFor', 'game', 'maker', 'has', 'can', 'for', 'and'] as const;

/** The sentences around pack phrases and listing lines, one file per language; slots are named in its `about`. */
export const framesSchema = z.strictObject({
  about: z.unknown(),
  imperativeHooks: texts,
  nounHooks: texts,
  audienceHooks: texts,
  imperativeSlides: texts,
  softPredicates: texts,
  softClauses: texts,
  practice: z.string(),
  /** What the listing lets people do, as a step of a change: {act}. */
  change: z.string(),
  softActs: texts,
  softNouns: texts,
  directActs: texts,
  directNouns: texts,
  /** For an app of which nothing is known but the name. */
  plainDirect: texts,
  madeBy: z.string(),
  onStore: z.string(),
  stores: z.record(z.enum(['apple', 'google']), z.string()),
  topics: z.record(z.enum(topicFrames), texts),
  lastResort: z.strictObject({ counted: texts, plain: texts }),
  details: z.record(z.enum(details), z.string()),
});

/**
 * Reads a data file as what its schema describes. The files ship with the code and `data-files.test.ts` parses each of them,
 * so that nothing is parsed here: on first use zod would hold the event loop for 150 ms.
 */
export function readDataFile<S extends z.ZodType>(file: URL, _schema: S): z.output<S> {
  return JSON.parse(readFileSync(file, 'utf8')) as z.output<S>;
}
