/** Draws decks as JPEG on a worker thread, and reads the colour of an app's icon. */

export { contrastOf } from './contrast-of.ts';
export type { DeckBrand, DeckFiles, DeckToRender } from './deck-to-render.ts';
export { type FontPair, fontPairs } from './designs/font-pairs.ts';
export { readIconHue } from './designs/icon-hue.ts';
export * from './read-picture.ts';
export type { RenderedSlide } from './render-deck.ts';
export { RenderBusyError } from './render-slots.ts';
export { closeRenderThread, RenderThreadError, renderOnThread } from './render-thread.ts';
export { SlideTextError } from './slide-text-error.ts';
export { renderSamples, sampleNames } from './templates/samples.ts';
export { type TemplateId, templates } from './templates/templates.ts';
export { makeThumbnail } from './thumbnail.ts';
