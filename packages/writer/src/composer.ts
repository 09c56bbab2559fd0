import { compileAvoidedWords, planDeck, seedRandom } from '@hookline/deck';
import { findArchetypeOfHook } from './archetype-of-hook.ts';
import { findAvoidedWord } from './avoided-words.ts';
import { writeCaption, writeDirectLine, writeHashtags, writeSoftLine } from './closing.ts';
import { findOwnArchetype, writeHooks } from './hooks.ts';
import { chooseLanguage } from './lines.ts';
import { extractMaterial } from './listing/material.ts';
import type { Archetype, WriteRequest, Writer, WrittenDeck } from './port.ts';
import { writeSlides } from './slides.ts';
import { readSubject, type Subject } from './subject.ts';
import { requireAllowedTopic } from './topic-refusal.ts';

/**
 * The built-in writer: no network, no model, the same texts for the same seed. Each sentence is about the
 * topic, or about the app in its listing's own lines. A listing in a language other than English, German and
 * Spanish gives an English deck that names the app and quotes none of its lines. Avoided words are left out
 * where other sentences will do; a deck that has one is written again from another seed, at most three times.
 */
export const composer: Writer = {
  async write(request) {
    const { seed, brief, avoidWords = [] } = request;
    let deck = composeDeck(request);
    for (let attempt = 2; attempt <= writtenMax; attempt += 1) {
      if (findAvoidedWord(deck.result, avoidWords, brief.hook !== undefined) === null) break;
      deck = composeDeck({ ...request, seed: `${seed}-${attempt}` });
    }
    return { ...deck, writer: { kind: 'builtin', name: 'composer', repaired: false } };
  },
};

const writtenMax = 4;

/**
 * Writes a deck with the lengths of `planDeck`. Throws `WritingRefused` for a topic that it does not write
 * about.
 */
export function composeDeck(request: WriteRequest): WrittenDeck {
  return composeWithTrace(request).deck;
}

/** The deck, what it is about, and the template behind its hook and each hook option. */
export function composeWithTrace({ seed, app, brief, avoidWords }: WriteRequest): {
  deck: WrittenDeck;
  subject: Subject;
  skeletons: string[];
} {
  requireAllowedTopic(brief.topic);
  const random = (purpose: string) => seedRandom(seed, purpose);
  const material = extractMaterial(app);
  const language = chooseLanguage(material.language);
  const ctaMode = brief.ctaMode ?? 'soft';
  const count = planDeck(brief).bodyCount;
  const avoided = compileAvoidedWords(avoidWords);
  const asked = { material, language, isNameless: ctaMode === 'none' };
  const aboutApp = readSubject({ ...asked, topic: undefined });
  const written = brief.hook === undefined ? undefined : findOwnArchetype(brief.hook, aboutApp);
  const topic = brief.topic ?? (written === undefined ? subjectOfHook(brief.hook) : undefined);
  const subject = topic === undefined ? aboutApp : readSubject({ ...asked, topic });
  const archetype =
    brief.archetype ??
    findArchetypeOfHook(brief.hook) ??
    written ??
    random('archetype').pick(subject.form === 'kind' ? weighted : weightedOfTopics);
  const bodies = writeSlides({ ...asked, subject, archetype, count, avoided, random: random('bodies') });
  const drafted =
    brief.hook === undefined
      ? writeHooks({ subject, archetype, count, avoided, random: random('hook') })
      : [{ text: brief.hook, template: brief.hook }];
  const hookOptions = drafted.map(({ text }) => text);
  const hook = hookOptions[0]!;
  const closing = { subject, material, language, bodies, hook, ctaMode, avoided };
  const result = {
    hook,
    hookOptions,
    bodySlides: bodies.map(text => ({ text })),
    ctaSoft: writeSoftLine({ ...closing, random: random('soft') }),
    ctaHard: writeDirectLine({ ...closing, random: random('direct') }),
    caption: writeCaption({ ...closing, random: random('caption') }),
    hashtags: writeHashtags(closing),
  };
  return {
    deck: { result, archetype, ctaMode, language },
    subject,
    skeletons: drafted.map(({ template }) => template),
  };
}

// Lists get saved most and show most of a listing; the rest keeps the decks of one app apart.
const weighted: Archetype[] = [
  'listicle',
  'listicle',
  'listicle',
  'listicle',
  'authority',
  'authority',
  'authority',
];
/** A topic is served best by a list; the other archetypes are written for a brief that asks for them. */
const weightedOfTopics: Archetype[] = ['listicle'];

/** What a given hook is about: without "POV:" and what promises a count. */
function subjectOfHook(hook: string | undefined): string | undefined {
  return hook?.replace(/^\s*pov:?\s*/i, '').replace(/: \d+ [^:]*$/, '');
}
