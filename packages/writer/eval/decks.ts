import { createHash } from 'node:crypto';
import { listSlides } from '@hookline/deck';
import { type DeckToRender, type RenderedSlide, renderDeck } from '@hookline/slides/inspect';
import { composeDeck } from '../src/composer.ts';
import { storeName } from '../src/fillers.ts';
import type { MaterialSource } from '../src/listing/material.ts';
import { shortenName } from '../src/listing/short-name.ts';
import type { WriteRequest, WrittenDeck } from '../src/port.ts';
import { type Judgement, judgeDeck } from './judge.ts';

export type Listing = {
  store: string;
  storeId: string;
  name: string;
  category: string;
  developer: string;
  description: string;
  summary?: string;
  country?: string;
};
export type GalleryDeck = { request: WriteRequest; deck: WrittenDeck; judgements: Judgement[] };

export function sourceOf({ name, description, summary, category, country, store }: Listing): MaterialSource {
  const short = summary ?? null;
  return {
    name,
    description,
    summary: short,
    category,
    country: country ?? 'us',
    store: store as 'apple' | 'google',
  };
}

/** A deck for each listing, with the brief's defaults. */
export function composeAll(listings: readonly Listing[]): GalleryDeck[] {
  return listings.map(listing => {
    const request: WriteRequest = {
      seed: `gallery ${listing.storeId}`,
      app: sourceOf(listing),
      brief: { templateId: 'quote-card' },
    };
    const deck = composeDeck(request);
    return { request, deck, judgements: judgeDeck(request, deck) };
  });
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
    brandHue: hueOf(request),
    app: { name: shortenName(request.app.name).short, store: storeName(request.app.store) ?? undefined },
  };
}

export function drawDeck(deck: GalleryDeck): Promise<RenderedSlide[]> {
  return renderDeck(toRender(deck));
}
