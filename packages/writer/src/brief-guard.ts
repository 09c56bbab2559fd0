import { findBrokenBriefRules } from '@hookline/deck';
import { findAvoidedWord } from './avoided-words.ts';
import { type Writer, WritingRefused } from './port.ts';

/**
 * Wraps a writer so that a deck that breaks the brief is never returned, whichever writer made it. One with
 * an avoided word is refused as `avoided_words`.
 */
export function guardBrief(writer: Writer): Writer {
  return {
    async write(request) {
      const deck = await writer.write(request);
      const [broken] = findBrokenBriefRules(request.brief, deck);
      if (broken !== undefined) throw new Error(`the writer broke a rule of the brief: ${broken}`);
      const { brief, avoidWords = [] } = request;
      const word = findAvoidedWord(deck.result, avoidWords, brief.hook !== undefined);
      if (word !== null) {
        const message = `Every slideshow that was written has "${word}", one of brand.avoidWords; nothing was charged.`;
        throw new WritingRefused('avoided_words', message);
      }
      return deck;
    },
  };
}
