import { findBrokenBriefRules } from '@hookline/deck';
import type { Writer } from './port.ts';

/** The same writer, whose decks keep the brief or are not handed out: whatever writes, the rules are ours. */
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
