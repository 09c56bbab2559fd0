import {
  countableHeads,
  determiners,
  finiteVerbs,
  fragments,
  headEnds,
  massHeads,
  nounVerbs,
  numberWords,
  objectPronouns,
  particles,
  pureVerbs,
} from './line-words.ts';

type Form = 'imperative' | 'predicate' | 'clause' | 'noun';

/** True for the base form of a verb that opens instructions to the reader. */
export const isVerb = (word: string): boolean => pureVerbs.has(word) || nounVerbs.has(word);

/**
 * The form of a line of an English listing: an instruction to the reader, what the app does, a sentence with
 * its own subject, or the name of a thing. Null when nothing indicates any of them: dropping a line is better
 * than a wrong sentence. Decided by the first words and the ones after them, so an unlisted word counts as a
 * verb when "a" or "your" follows it.
 */
export function formOfEnglish(text: string): Form | null {
  const words = text.toLowerCase().split(/\s+/);
  const [first = '', second = '', third = ''] = words.map(word => word.replace(/[,;]$/, ''));
  if (fragments.has(first) || /\b(?:i|me|my|mine)\b/i.test(text)) return null;
  const endsAtFirst = words[0]!.endsWith(',');
  if (determiners.has(first) || numberWords.has(first) || /^\d/.test(first)) {
    // "Three runs a week": a counted word is not a verb.
    return hasVerb(determiners.has(first) ? words : words.slice(1)) ? 'clause' : 'noun';
  }
  if (!/^\p{L}[\p{L}'-]*$/u.test(first) || isAdverb(first)) return null;
  // "Sorted by aisle", "Drawn for sailors": the subject is missing.
  if (/(?:ed|wn|lt)$/.test(first) && headEnds.has(second)) return null;
  if (endsAtFirst) return isVerb(first) && isVerb(second) ? 'imperative' : nounOr(words.slice(1));
  // "Lock it with …", "Leave them alone": the pronoun has no referent.
  if (objectPronouns.has(second) && second !== 'everyone') return null;
  if (/[^su]s$/.test(first)) return formOfPlural(words, first, second, third);
  if (determiners.has(second) && !/(?:ing|ed)$/.test(first)) return 'imperative';
  if (particles.has(second) && (isVerb(first) || determiners.has(third))) return 'imperative';
  if (pureVerbs.has(first)) return isCompound(words) ? 'noun' : 'imperative';
  if (nounVerbs.has(first)) return formOfEither(words, first, second, third);
  return nounOr(words);
}

/** "Remembers the level", "Charts for the midwife", "Invoices go out on Friday", "Chases late payers". */
function formOfPlural(words: string[], first: string, second: string, third: string): Form | null {
  // What an app does with other things: "Syncs with the Health app".
  if (/^(?:syncs|works|connects|integrates|pairs)$/.test(first) && second === 'with') return 'predicate';
  const base = baseOf(first);
  if (determiners.has(second) || particles.has(second)) return 'predicate';
  if (base !== null && pureVerbs.has(base)) return isCompound(words) ? 'noun' : 'predicate';
  if (finiteVerbs.has(second)) return 'clause';
  // "Labels print on any printer" has two verbs, so the first is a plural noun.
  const isPart = countableHeads.test(second);
  if (isVerb(second) && !isPart && /^(?:on|in|at|by|from|to|with|when|before|after|without)$/.test(third))
    return 'clause';
  if (second === '' || headEnds.has(second) || words[0] !== first || /(?:ed|en|wn)$/.test(second))
    return 'noun';
  if (isCompound(words)) return 'noun';
  if (base !== null) return 'predicate';
  return /[^su]s$/.test(headOf(words).at(-1)!) ? 'noun' : null;
}

/**
 * "Water reminders for …" and "Plan of the week" name a thing; "Water plants" and "Plan meals" are
 * instructions.
 */
function formOfEither(words: string[], first: string, second: string, third: string): Form {
  // "Ring reminders go to …".
  if (/[^su]s$/.test(second) && finiteVerbs.has(third)) return 'clause';
  // "Fuel and engine hours" against "Log and compare".
  if (second === 'and' || second === 'or') return isVerb(third) ? 'imperative' : 'noun';
  if (/^(?:of|for|from|that|which)$/.test(second)) return 'noun';
  if (second === 'with') return countableHeads.test(first) ? 'noun' : 'imperative';
  return isCompound(words) ? 'noun' : 'imperative';
}

/** "Politely"; "weekly" and the like precede a noun. */
const isAdverb = (word: string) =>
  /ly$/.test(word) && !/^(?:dai|week|month|year|quarter|hour|friend|fami|assemb|on|ear)ly$/.test(word);

const orders =
  /^(?:add|choose|create|delete|edit|export|find|get|import|mute|schedule|receive|silence|snooze|keep|make|merge|open|pick|print|put|read|save|see|send|set|share|show|sort|take|turn|use|write)s?$/;

/** Nobody brushes or turns a reminder: other verbs before these words say what it is for. */
const signals = /^(?:reminders|alerts|alarms|notifications|warnings)$/;
const ordersOfSignals =
  /^(?:add|choose|create|delete|edit|get|keep|manage|mute|receive|schedule|see|send|set|share|show|silence|snooze)$/;

/**
 * Two or three words before the first preposition, the last of which names a part of an app: "Brew timer",
 * "Route planner".
 */
function isCompound(words: string[]): boolean {
  const head = headOf(words);
  const last = head.at(-1) ?? '';
  const isShort = head.length >= 2 && head.length <= 4;
  if (isShort && signals.test(last))
    return !(ordersOfSignals.test(head[0]!) || particles.has(words[head.length] ?? ''));
  if (!isShort || orders.test(head[0]!)) return false;
  if (head.slice(1, -1).some(word => determiners.has(word))) return false;
  // "Water reminders" is a thing, "Track habits" an instruction; a verb that is rarely a noun needs the
  // singular.
  const singular = last.replace(/s$/, '');
  const isPart = countableHeads.test(last) || massHeads.test(last);
  return isPart || (nounVerbs.has(head[0]!) && head.length === 2 && countableHeads.test(singular));
}

/**
 * A noun phrase when its head looks like one: a plural, a part of an app, or a word modified by a preposition
 * or a clause.
 */
function nounOr(words: string[]): Form | null {
  if (hasVerb(words)) return 'clause';
  const head = headOf(words);
  const last = head.at(-1) ?? '';
  const next = words[head.length]?.replace(/,$/, '') ?? '';
  if (head.length === 0 || /ly$/.test(last)) return null;
  if (/[^su]s$/.test(last) || countableHeads.test(last) || massHeads.test(last)) return 'noun';
  const isCut = words[head.length - 1]!.endsWith(',');
  return !isCut && /^(?:of|for|with|that|which|to|you|by|from|in|on|across|until)$/.test(next)
    ? 'noun'
    : null;
}

/** The words before the first preposition, relative pronoun or comma. */
function headOf(words: string[]): string[] {
  const end = words.findIndex((word, i) => i > 0 && headEnds.has(word.replace(/,$/, '')));
  const comma = words.findIndex(word => word.endsWith(','));
  const stops = [end, comma < 0 ? -1 : comma + 1].filter(stop => stop >= 0);
  return words
    .slice(0, stops.length > 0 ? Math.min(...stops) : words.length)
    .map(word => word.replace(/,$/, ''));
}

/** "The attendance sheet counts basses", "Pencil marks from the conductor appear": a subject and its verb. */
function hasVerb(words: string[]): boolean {
  const head = headOf(words);
  const own = head.slice(1).some((word, i) => {
    const next = head[i + 2];
    // "Bells ring", "the bell rings"; in "every stop on the line" the word is a noun.
    const agrees = /[^su]s$/.test(word) || /[^su]s$/.test(head[i]!) || /^(?:can|will|must)$/.test(word);
    if (finiteVerbs.has(word) && agrees && !nounVerbs.has(baseOf(word) ?? word)) return i + 2 < words.length;
    const base = baseOf(word);
    return base !== null && isVerb(base) && next !== undefined && !countableHeads.test(next);
  });
  const relative = words.findIndex(word => /^(?:that|which|who|you|where|when|what|and|so)$/.test(word));
  const rest = words.slice(head.length, relative < 0 ? words.length : relative);
  return (
    own || rest.some(word => /^(?:is|are|appear|appears|go|goes|come|comes|gets|stays|becomes)$/.test(word))
  );
}

/**
 * The base of a third person: "tells" gives tell, "carries" carry, "watches" watch; null for any other word.
 */
function baseOf(word: string): string | null {
  if (!/[^su]s$/.test(word)) return null;
  const candidates = [word.slice(0, -1), word.replace(/ies$/, 'y'), word.replace(/es$/, '')];
  return candidates.find(base => base !== word && isVerb(base)) ?? null;
}

/**
 * Turns what an app does into an imperative: "remembers the level" becomes "remember the level". A second
 * verb is converted as well. Null where the reader is the object ("tells you"), unless the line is about what
 * the reader is reminded of.
 */
export function toOrder(predicate: string): string | null {
  const [, reminded] = /^reminds? you to (.+)$/i.exec(predicate) ?? [];
  if (reminded) return reminded;
  if (ofTheApp.test(predicate)) return null;
  const words = predicate.split(' ');
  const isVerbAt = (i: number) =>
    /s$/.test(words[i]!) && (baseOf(words[i]!) !== null || words[i + 1] === 'you');
  const second = words.findIndex((_, i) => i > 1 && words[i - 1] === 'and' && isVerbAt(i));
  // "… and nags you to feed": something done to the reader is not something to do.
  const isCut = second > 0 && words[second + 1] === 'you';
  const kept = isCut ? words.slice(0, second - 1) : words;
  const order = kept.map((word, i) => (i === 0 || i === second ? orderOf(word) : word)).join(' ');
  return /^\S+ (?:you|it|them)\b/.test(order) || kept.length < 2 ? null : order;
}

/** Verbs that only apply to an app: nobody is asked to work offline. */
const ofTheApp =
  /^(?:works?|supports?|syncs?|runs?|comes?|has|includes?|requires?|needs?|costs?|connects?|integrates?|stays?|remains?|fits?|lets|gives|offers?|uses|starts?|updates?|knows|learns|adapts?|speaks|lives|sits|opens?|loads?|turns|helps|shows?)\b/i;

function orderOf(verb: string): string {
  return (
    baseOf(verb) ??
    (/(?:ss|sh|ch|x|z)es$/.test(verb) ? verb.slice(0, -2) : verb.replace(/ies$/, 'y').replace(/s$/, ''))
  );
}
