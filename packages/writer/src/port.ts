import { type CtaMode, explainChoice, type Known } from '@hookline/deck';
import type { archetypes, Brief } from '@hookline/shared/contracts/brief';
import type { DeckWriter, SlideshowResult } from '@hookline/shared/contracts/content';
import type { Lesson } from '@hookline/shared/contracts/lesson';
import type { MaterialSource } from './listing/material.ts';
import type { EarlierDeck } from './overlap.ts';

export type Archetype = (typeof archetypes)[number];

/** `seed` is the content id. */
export type WriteRequest = {
  seed: string;
  /** Owners take turns at the text model: decks of one do not hold up those of another. */
  owner?: string | undefined;
  app: MaterialSource;
  brief: Brief;
  /** Captions in the voice of the brand, for a model to imitate. */
  voice?: readonly string[] | undefined;
  /** Words that the deck should not have, whole and in any case. `guardBrief` refuses a deck that has one. */
  avoidWords?: readonly string[] | undefined;
  /** The built-in writer takes the lines that were used longest ago; a model is told what there was. */
  before?: EarlierDecks | undefined;
  /** What earlier decks brought: it chooses the hook and the structure, and a model is told the best and worst. */
  lesson?: Lesson | undefined;
};

/** Decks of the app, and the reasons of its rejections, newest first. */
export type EarlierDecks = { decks: readonly EarlierDeck[]; rejected: readonly string[] };

/**
 * What a deck is not and the caller may have expected: about the topic, which needs a text model, or made of the
 * listing's lines alone, of which there are too few.
 */
export type DeckNotice = 'topic_needs_model' | 'listing_too_short';

/** The texts of a deck, and the facts about them that the renderer needs. */
export type WrittenDeck = {
  result: SlideshowResult;
  archetype: Archetype;
  ctaMode: CtaMode;
  /** BCP 47 language of the generated texts. */
  language: string;
  notice?: DeckNotice;
  /** Why this hook or structure; absent where nothing was known. */
  because?: string;
};

/**
 * Writes the texts of a deck and says who wrote them. Throws `WritingRefused` when there is nothing usable to
 * write; any other error is not the caller's fault.
 */
export type Writer = { write: (request: WriteRequest) => Promise<SignedDeck> };

/** A deck with its writer, who says why. */
export type SignedDeck = Omit<WrittenDeck, 'because'> & { writer: DeckWriter };

export function signDeck({ because, ...deck }: WrittenDeck, writer: Omit<DeckWriter, 'because'>): SignedDeck {
  return { ...deck, writer: { ...writer, because: because ?? null } };
}

/** @param known what chose the hook, then what chose the structure */
export function becauseOf(...known: readonly (Known | null | undefined)[]): Pick<WrittenDeck, 'because'> {
  const first = known.find(one => one != null);
  return first ? { because: explainChoice(first) } : {};
}

/**
 * Nothing usable can be written, with a reason for the caller; the content becomes `failed` and is not
 * charged.
 */
export class WritingRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'WritingRefused';
    this.code = code;
  }
}

/** The text model is away, or no turn at it came in time: the same request may succeed later. */
export class WriterUnavailable extends WritingRefused {}
