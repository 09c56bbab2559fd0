import { createHash } from 'node:crypto';
import { listSlides } from '@hookline/deck';
import { archetypes, ctaModes } from '@hookline/shared/contracts/brief';
import { type DeckToRender, type RenderedSlide, renderDeck } from '@hookline/slides/inspect';
import { composeDeck } from '../src/composer.ts';
import type { MaterialSource } from '../src/listing/material.ts';
import type { WriteRequest, WrittenDeck } from '../src/port.ts';
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
  return listings.flatMap(listing =>
    [...(listing.topics ?? []), undefined].map(topic => {
      const request: WriteRequest = {
        seed: `${purpose} ${listing.storeId} ${topic}`,
        app: sourceOf(listing),
        brief: { topic },
      };
      const deck = composeDeck(request);
      return { request, deck, judgements: judgeDeck(request, deck) };
    }),
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
