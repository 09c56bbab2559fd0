import { findPromisedCount, planDeck, seedRandom } from '@hookline/deck';
import { draftBodies } from './bodies.ts';
import { writeCaption, writeDirectLine, writeHashtags, writeSoftLine } from './closing.ts';
import { chooseLanguage } from './frames.ts';
import { type Covered, findArchetype } from './given-hook.ts';
import { writeHooks } from './hooks.ts';
import { extractMaterial, type Material } from './listing/material.ts';
import { getActivities } from './listing-decks/activities.ts';
import { choosePack, type Pack } from './packs.ts';
import { type Archetype, type WriteRequest, type Writer, WritingRefused, type WrittenDeck } from './port.ts';
import { isRefusedTopic } from './text-filters.ts';

/**
 * The built-in writer: no network, no model, the same texts for the same seed. It combines the listing's own
 * lines with the phrase packs under `data/packs`. Its frame is English; a listing in another language gives
 * an English deck that names the app and quotes none of its lines.
 */
export const composer: Writer = {
  write: async request => ({
    ...composeDeck(request),
    writer: { kind: 'builtin', name: 'composer', repaired: false },
  }),
};

/**
 * Writes a deck with the lengths of `planDeck`. Throws `WritingRefused` for a topic that it does not write
 * about.
 */
export function composeDeck(request: WriteRequest): WrittenDeck {
  return composeWithTrace(request).deck;
}

/** The deck, and the template behind its hook and each hook option. */
export function composeWithTrace({ seed, app, brief }: WriteRequest): {
  deck: WrittenDeck;
  skeletons: string[];
} {
  const topic = brief.topic ?? '';
  if (isRefusedTopic(topic)) {
    throw new WritingRefused(
      'topic_refused',
      'brief.topic is about something that is not written about here',
    );
  }
  const random = (purpose: string) => seedRandom(seed, purpose);
  const material = extractMaterial(app);
  const ctaMode = brief.ctaMode ?? 'soft';
  const count = planDeck(brief).bodyCount;
  const haystack = `${material.haystack} ${topic.toLowerCase()} ${(brief.hook ?? '').toLowerCase()}`;
  const language = chooseLanguage(material.language);
  const wanted = `${topic} ${brief.hook ?? ''}`.toLowerCase();
  const pack = packOf(material, brief, language);
  const archetype =
    brief.archetype ?? guessArchetype(brief.hook, pack, language) ?? random('archetype').pick(weighted);
  const shared = { archetype, count, pack, material, language, haystack };
  const {
    hooks: own,
    bodies,
    captions,
  } = draftBodies({ ...shared, focus: wanted, random: random('bodies') });
  const drafted =
    brief.hook === undefined
      ? writeHooks({ ...shared, topic, own, bodies, random: random('hook') })
      : [{ text: brief.hook, skeleton: brief.hook }];
  const hookOptions = drafted.map(({ text }) => text);
  const hook = hookOptions[0]!;
  const closing = { pack, material, language, haystack, bodies, captions, hook, ctaMode };
  const result = {
    hook,
    hookOptions,
    bodySlides: bodies.map(text => ({ text })),
    ctaSoft: writeSoftLine({ ...closing, random: random('soft') }),
    ctaHard: writeDirectLine({ ...closing, random: random('direct') }),
    caption: writeCaption({ ...closing, random: random('caption') }),
    hashtags: writeHashtags({ ...closing, random: random('hashtags') }),
  };
  return {
    deck: { result, archetype, ctaMode, language },
    skeletons: drafted.map(({ skeleton }) => skeleton),
  };
}

// Lists get saved most, so a brief without an archetype gets one slightly more often.
const weighted: Archetype[] = [
  'listicle',
  'listicle',
  'transformation',
  'pov_results',
  'authority',
  'motivational',
];

/**
 * The pack that a deck is written from: the given hook's pack, or else the best match for the hook's and the
 * topic's words.
 */
export function packOf(material: Material, { topic, hook }: WriteRequest['brief'], language: string): Pack {
  const choose = (wanted: string) =>
    choosePack(material.category, material.haystack, wanted.toLowerCase(), language, material.language);
  const usual = choose(topic ?? '');
  if (hook === undefined || findArchetype(listDecks(usual, language), hook) !== undefined) return usual;
  return choose(`${topic ?? ''} ${hook}`);
}

/**
 * Infers the archetype from a given hook: the one it was written for, a scene after "POV:", a list where it
 * promises a count.
 */
function guessArchetype(hook: string | undefined, pack: Pack, language: string): Archetype | undefined {
  if (hook === undefined) return undefined;
  if (/^\s*pov\b/i.test(hook)) return 'pov_results';
  if (findPromisedCount(hook) !== null) return 'listicle';
  const written = findArchetype(listDecks(pack, language), hook);
  return written ?? (/^\s*(why|what|the difference)\b/i.test(hook) ? 'authority' : undefined);
}

/** The decks of a pack, and those of the activities for an app that fits no category. */
function listDecks(pack: Pack, language: string) {
  const sources = [pack, ...(pack.id === 'default' ? getActivities(language).activities : [])];
  return {
    listicle: pack.lists,
    transformation: sources.flatMap<Covered>(({ changes }) => changes),
    pov_results: sources.flatMap<Covered>(({ scenes }) => scenes),
    authority: sources.flatMap<Covered>(({ lessons }) => lessons),
    motivational: sources.flatMap<Covered>(({ sparks }) => sparks),
  };
}
