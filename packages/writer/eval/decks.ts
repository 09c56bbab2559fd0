import { createHash } from 'node:crypto';
import { listSlides } from '@hookline/deck';
import { archetypes, ctaModes } from '@hookline/shared/contracts/brief';
import { createLogger } from '@hookline/shared/kernel';
import { type DeckToRender, type RenderedSlide, renderDeck } from '@hookline/slides/inspect';
import { composeDeck } from '../src/composer.ts';
import type { MaterialSource } from '../src/listing/material.ts';
import { createLlmWriter } from '../src/llm/llm-writer.ts';
import { type WriteRequest, WritingRefused, type WrittenDeck } from '../src/port.ts';
import { type Answer, type AnswerServer, serveAnswers } from './answers/serve.ts';
import { type Judgement, judgeDeck } from './judge.ts';

export type Listing = {
  store: string;
  storeId: string;
  name: string;
  category: string;
  developer: string;
  description: string;
  /** Two topics for the decks that `composeTopics` writes. */
  topics?: string[];
};
export type GalleryDeck = { request: WriteRequest; deck: WrittenDeck; judgements: Judgement[] };

export function sourceOf({ name, description, category, store }: Listing): MaterialSource {
  return { name, description, category, country: 'us', store: store as 'apple' | 'google' };
}

/**
 * One deck for each archetype and mode. `purpose` is part of the seed: a different purpose gives different
 * decks.
 */
export function composeAll(listings: readonly Listing[], purpose: string): GalleryDeck[] {
  return listings.flatMap(listing =>
    archetypes.flatMap(archetype =>
      ctaModes.map(ctaMode => {
        const request: WriteRequest = {
          seed: `${purpose} ${listing.storeId} ${archetype} ${ctaMode}`,
          app: sourceOf(listing),
          brief: { archetype, ctaMode, slideCount: ctaMode === 'none' ? 6 : 7, templateId: 'quote-card' },
        };
        const deck = composeDeck(request);
        return { request, deck, judgements: judgeDeck(request, deck) };
      }),
    ),
  );
}

/** Three decks for each listing, with the brief's defaults: one for each of its topics, one without. */
export function composeTopics(listings: readonly Listing[], purpose: string): GalleryDeck[] {
  return listTopics(listings, purpose).map(request => {
    const deck = composeDeck(request);
    return { request, deck, judgements: judgeDeck(request, deck) };
  });
}

export type Recorded = {
  decks: GalleryDeck[];
  atOnce: number;
  repaired: number;
  /** Decks for which no usable answer came, with the reason. */
  failed: string[];
  missing: AnswerServer['missing'];
  /** Answers that broke a rule, with the rules. */
  broken: string[];
};

/**
 * The decks of `composeTopics`, written by the product's own writer from recorded answers of a model. What a
 * script asks of the built-in writer is not asked of them.
 * @param keepIn a folder for the questions that have no answer
 */
export async function writeTopics(
  listings: readonly Listing[],
  purpose: string,
  answers: readonly Answer[],
  keepIn?: string,
): Promise<Recorded> {
  const server = await serveAnswers(answers, keepIn);
  const written: Recorded = {
    decks: [],
    atOnce: 0,
    repaired: 0,
    failed: [],
    missing: server.missing,
    broken: [],
  };
  const settings = { baseUrl: server.baseUrl, model: 'recorded', apiKey: undefined };
  const writeOne = async (request: WriteRequest): Promise<void> => {
    const about = `${request.app.name}, ${request.brief.topic ?? 'no topic'}`;
    const destination = {
      write(line: string) {
        const { broken } = JSON.parse(line) as { broken?: string[] };
        if (broken) written.broken.push(`${about}: ${broken.join('; ')}`);
      },
    };
    const log = createLogger({ service: 'gallery', destination });
    // A writer for each deck: one without an answer must not open the breaker for the others.
    const writer = createLlmWriter({ ...settings, budgetMs: recordedMs, inFlightMax: 1 }, log);
    try {
      const deck = await writer.write(request);
      written.decks.push({ request, deck, judgements: [] });
      if (deck.writer.repaired) written.repaired += 1;
      else written.atOnce += 1;
    } catch (error) {
      if (!(error instanceof WritingRefused)) throw error;
      written.failed.push(`${about}: ${error.message}`);
    } finally {
      await writer.close();
    }
  };
  try {
    for (const request of listTopics(listings, purpose)) await writeOne(request);
  } finally {
    await server.close();
  }
  return written;
}

/** Far above what an answer that is there takes. */
const recordedMs = 20_000;

function listTopics(listings: readonly Listing[], purpose: string): WriteRequest[] {
  return listings.flatMap(listing =>
    [...(listing.topics ?? []), undefined].map(topic => ({
      seed: `${purpose} ${listing.storeId} ${topic}`,
      app: sourceOf(listing),
      brief: { topic },
    })),
  );
}

/** Stands for the colour of an icon that an invented app does not have. */
function hueOf({ app }: WriteRequest): number {
  return createHash('sha256').update(app.name).digest().readUInt16BE(0) % 360;
}

export function toRender({ request, deck }: GalleryDeck): DeckToRender {
  return {
    slides: listSlides(deck.result, deck.ctaMode),
    seed: request.seed,
    language: deck.language,
    archetype: deck.archetype,
    brandHue: hueOf(request),
  };
}

export function drawDeck(deck: GalleryDeck): Promise<RenderedSlide[]> {
  return renderDeck(toRender(deck));
}
