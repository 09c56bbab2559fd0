/** The renderer's parts on the caller's thread. For evaluation and benchmarks; services use `index.ts`. */
export { loadCanvas } from './canvas.ts';
export type { DeckToRender } from './deck-to-render.ts';
export { slideHeight, slideWidth, textBox } from './designs/design.ts';
export { looks } from './designs/looks.ts';
export { contrastOf } from './designs/palette.ts';
export { encodeJpeg } from './encode-jpeg.ts';
export { jpegQuality } from './encode-rgb.ts';
export { isEmoji } from './layout/fonts.ts';
export type { SlideLayout } from './layout/lay-out-slide.ts';
export {
  type PlannedDeck,
  paintSlide,
  planSlides,
  type RenderedSlide,
  renderDeck,
} from './render-deck.ts';
