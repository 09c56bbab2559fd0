/** The writer's data files: their schemas and one reader. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const texts = z.array(z.string().min(1));

const archetypeNames = ['listicle', 'transformation', 'pov_results', 'authority', 'motivational'] as const;
const optionalTexts = texts.optional();

/**
 * The first slide, the slides between and the last one of an archetype; `line` goes
 * around a line of the listing.
 */
const shape = z.strictObject({ open: texts, steps: texts, close: texts, line: optionalTexts });
const shapes = z.record(z.enum(archetypeNames), shape.omit({ line: true }));
const hooksByArchetype = z.partialRecord(z.enum(archetypeNames), texts);

/** The forms a topic can have; a language without sentences for one uses those of `noun`. */
export const topicForms = [
  'howTo',
  'choice',
  'problem',
  'noun',
  'question',
  'why',
  'comparison',
  'audience',
  'statement',
] as const;

/**
 * The composer's sentences in one language, in a JSON file that a copywriter edits; its
 * `about` names the slots.
 */
export const linesSchema = z.strictObject({
  about: z.string(),
  forms: z.partialRecord(z.enum(topicForms), texts),
  /** By what a topic is about; `match` is a pattern without case, the first that finds the topic decides. */
  fields: z.record(
    z.string(),
    z.strictObject({
      match: z.string(),
      /** Forms of topics other than advice that the field is for. */
      forms: z.array(z.enum(topicForms)).optional(),
      /** Says what is done and not with what; looked at after all others. */
      isGeneral: z.boolean().optional(),
      /** Found behind a preposition, too: "with toddlers". */
      isAnywhere: z.boolean().optional(),
      hooks: texts,
      lines: texts,
    }),
  ),
  any: texts,
  /** What {about} is for a topic that is too long to be repeated, and the slide that tells it. */
  statement: z.string(),
  told: texts,
  archetypes: shapes,
  kind: z.strictObject({
    points: texts,
    forPeople: texts,
    listicle: shape,
    transformation: shape,
    pov_results: shape,
    authority: shape,
    motivational: shape,
  }),
  /**
   * By form; `near` is for lines of the listing under a topic about the app's own job, `topic` fits every
   * form with a short title, `plain` any topic at all.
   */
  hooks: z.partialRecord(z.enum([...topicForms, 'topic', 'near', 'plain', 'kind']), hooksByArchetype),
  captions: z.strictObject({ topic: texts, kind: texts }),
  soft: z.strictObject({ line: texts, pitch: texts, kind: texts, for: texts, name: texts }),
  direct: z.strictObject({ line: texts, pitch: texts, kind: texts, name: texts, store: z.string() }),
  stores: z.record(z.enum(['apple', 'google']), z.string()),
  details: z.strictObject({ is: z.string(), maker: z.string(), has: z.string(), for: z.string() }),
  kindOfApp: z.string(),
  hashtags: texts,
});

/**
 * Reads a data file as the type of its schema, without parsing. The files ship with the code and
 * `data-files.test.ts` parses each of them; zod would block the event loop for 150 ms on first use.
 */
export function readDataFile<S extends z.ZodType>(file: URL): z.output<S> {
  return JSON.parse(readFileSync(file, 'utf8')) as z.output<S>;
}
