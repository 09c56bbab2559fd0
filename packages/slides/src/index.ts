/** Draws decks as JPEG on a worker thread, and reads the colour of an app's icon. */
export { readIconHue } from './designs/icon-hue.ts';
export {
  type Picture,
  PictureError,
  pictureBytesMax,
  readPicture,
} from './read-picture.ts';
export type { DeckToRender, RenderedSlide } from './render-deck.ts';
export { RenderBusyError } from './render-slots.ts';
export { closeRenderThread, RenderThreadError, renderOnThread } from './render-thread.ts';
export { SlideTextError } from './slide-text-error.ts';
