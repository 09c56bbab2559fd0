import { findBrokenBriefRules } from '@hookline/deck';
import type { Writer } from './port.ts';

/** Wraps a writer so that a deck that breaks the brief is never returned, whichever writer made it. */
export function guardBrief(writer: Writer): Writer {
  return {
    async write(request) {
      const deck = await writer.write(request);
      const [broken] = findBrokenBriefRules(request.brief, deck);
      if (broken !== undefined) throw new Error(`the writer broke a rule of the brief: ${broken}`);
      return deck;
    },
  };
}
