/** Writes the texts of a deck from an app's listing, with a text model or with the built-in composer. */
export { describeApp } from './app-details.ts';
export { guardBrief } from './brief-guard.ts';
export { composer } from './composer.ts';
export { storeName } from './fillers.ts';
export { writeGiven } from './given.ts';
export type { MaterialSource } from './listing/material.ts';
export { shortenName } from './listing/short-name.ts';
export { type ChatClient, type ChatSettings, createChatClient, type Refusal } from './llm/chat-client.ts';
export { createLlmWriter, type LlmSettings, type LlmWriter, type MeasureAnswer } from './llm/llm-writer.ts';
export { withFallback } from './llm/with-fallback.ts';
export { type EarlierDeck, findNearest, linesOf, overlapMax } from './overlap.ts';
export {
  type Archetype,
  type DeckNotice,
  type EarlierDecks,
  type SignedDeck,
  type WriteRequest,
  type Writer,
  WriterUnavailable,
  WritingRefused,
  type WrittenDeck,
} from './port.ts';
export { writeSeedHooks } from './seed-hooks.ts';
