/** The writer's data files: their schemas and one reader. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const texts = z.array(z.string().min(1));

/**
 * A text, or one used only when a word of `when` occurs in the listing or the topic; an empty `when` always
 * applies.
 */
const entry = z.union([z.string().min(1), z.strictObject({ text: z.string().min(1), when: texts })]);
const entries = z.array(entry);

/** A deck of one archetype: its slides fulfil each of its hooks; `captions` are for this deck only. */
const unit = z.strictObject({ when: texts, hooks: texts, captions: texts });

/**
 * Slides that each answer every hook of the list; any subsequence reads well. Hooks contain {n} and may
 * contain {aud}. A listing line that contains a word of `admits` may be mixed in.
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

/**
 * The phrases of one family of store categories, in a JSON file that a copywriter edits; `default.json` shows
 * the fields.
 */
export const packSchema = z.strictObject({
  id: z.string().min(1),
  categories: texts,
  keywords: texts,
  /** The category alone is too broad; at least one keyword must occur. */
  needsKeyword: z.boolean().optional(),
  /** The category alone is enough, whatever the listing says (games). */
  needsNoKeyword: z.boolean().optional(),
  /** Categories in which most apps do something else: two keywords must occur. */
  wideCategories: texts.optional(),
  /** Plural nouns for people, lower case: "shift workers". The first is the fallback. */
  audiences: entries,
  /** `listicle`: covers with {n}, and maybe {aud}, that fit any of `advice`. */
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

/** Things people do with an app regardless of its subject: look, book, record, compare. */
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
  /** `said`: its hooks as they read after "for studio potters:". */
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
  /** How something that the listing names is used: "work from {noun}". */
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

/**
 * The sentences around pack phrases and listing lines, one file per language; its `about` names the slots.
 */
export const framesSchema = z.strictObject({
  about: z.unknown(),
  imperativeHooks: texts,
  nounHooks: texts,
  audienceHooks: texts,
  imperativeSlides: texts,
  softPredicates: texts,
  softClauses: texts,
  practice: z.string(),
  /** Something the listing lets people do, as a step of a change: {act}. */
  change: z.string(),
  softActs: texts,
  softNouns: texts,
  directActs: texts,
  directNouns: texts,
  /** For an app known by name only. */
  plainDirect: texts,
  madeBy: z.string(),
  onStore: z.string(),
  stores: z.record(z.enum(['apple', 'google']), z.string()),
  topics: z.record(z.enum(topicFrames), texts),
  lastResort: z.strictObject({ counted: texts, plain: texts }),
  details: z.record(z.enum(details), z.string()),
});

/**
 * Reads a data file as the type of its schema, without parsing. The files ship with the code and
 * `data-files.test.ts` parses each of them; zod would block the event loop for 150 ms on first use.
 */
export function readDataFile<S extends z.ZodType>(file: URL, _schema: S): z.output<S> {
  return JSON.parse(readFileSync(file, 'utf8')) as z.output<S>;
}
