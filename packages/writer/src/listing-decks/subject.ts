import { toOrder } from '../listing/line-forms.ts';
import type { Material } from '../listing/material.ts';

/** Words of a store subtitle that name the kind of app but not its subject. */
const kinds =
  /^(?:app|tracker|planner|log|logbook|diary|journal|booker|finder|map|maps|calculator|timer|reminder|reminders|manager|maker|counter|list|lists|guide|desk|pairings|helper|companion|keeper|organizer|organiser|scheduler|business|book|notes|tool|tools|kit|toolkit|records|register|assistant|coach|trainer|directory|calendar|survey|identifier|scanner|checker|saver|cleaner|remover|rehearsal)$/i;

/**
 * The app's subject, from the subtitle of its name, in the form used before another noun: "pottery firing",
 * "lost property".
 */
export function readSubject({ name, language }: Material): string | null {
  if (name.tagline?.toLowerCase().includes(name.short.toLowerCase())) return null;
  if (!name.tagline) return null;
  if (language !== 'en') return readLabel(name.tagline);
  for (const part of name.tagline.split(/\s*[&,]\s*/)) {
    const subject = readPart(part.split(' '));
    if (subject !== null) return subject;
  }
  return null;
}

function readPart(words: readonly string[]): string | null {
  if (words.length > 4 || !words.every(word => /^[\p{L}-]+$/u.test(word))) return null;
  if (words.some(word => /^(?:for|your|the|and|with|of|to|my|in|on|by)$/i.test(word))) return null;
  const told = words.filter((word, i) => !(kinds.test(word) && i > 0));
  // A subtitle that is a single tool ("Scanner") names no subject.
  if (told.length === 0 || told.length > 3 || (told.length === 1 && kinds.test(told[0]!))) return null;
  return told.map(word => (word === word.toUpperCase() ? word : word.toLowerCase())).join(' ');
}

/** Outside English the subtitle is used unchanged before a colon, unless it names a tool. */
function readLabel(tagline: string): string | null {
  const isShort = tagline.split(' ').length <= 4 && tagline.length <= 26;
  const isTool =
    /\d|(?:app|tracker|planer|kalender|tagebuch|rechner|liste|buch|timer|manager|calendario|diario|calculadora|agenda|gestor)\b/i;
  return isShort && !isTool.test(tagline) ? tagline : null;
}

/**
 * The developer's statement of what the app does, as an imperative: "Undertow books your lane before …"
 * becomes "book your lane before …".
 */
export function readPromise({ name, sentences, language }: Material): string | null {
  if (language !== 'en') return null;
  for (const sentence of sentences.slice(0, 3)) {
    const text = sentence.replace(/[.]$/, '');
    if (!text.startsWith(`${name.short} `)) continue;
    const told = text.slice(name.short.length + 1);
    const isPlain =
      /^[a-z]+s (?!you\b|it\b|that\b)/.test(told) && !/^(?:is|was|has|does|gives|lets)\b/.test(told);
    const order = isPlain ? toOrder(told) : null;
    if (order && order.split(' ').length <= 12 && !/(?:,| for you)$/.test(order)) return order;
  }
  return null;
}

const actingHeads =
  /(?:ers|ors|ists|ians|ants|ents|eers|wardens|aries|men|people|families|parents|nurses|couples|clubs|choirs|teams|bands|groups|schools|coaches|cooks|pilots|guides|captains|friends|kids|beginners|crews|scouts|chefs|mums|dads|smiths|wrights|vets|clerks|students|apprentices|volunteers)$/i;

/** The listing's audiences that can act: "studio potters", but not "museums". */
export function actingPeople(audiences: readonly string[], language: string): string[] {
  if (language !== 'en') return audiences.filter(group => !/^quien\b/.test(group));
  return audiences.filter(group => {
    const head = group.split(/ (?:in|with|on|of|who) /)[0]!;
    return actingHeads.test(head) && !/^(?:papers|numbers|theatres|centers|corners)$/i.test(head);
  });
}
