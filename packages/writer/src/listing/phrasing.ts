import { hasClaim, isLegal } from '../text-filters.ts';
import { abbreviated, splitSentences } from './line-text.ts';
import type { Line } from './sections.ts';

export type Reading = { name: string; language: string; isFormal?: boolean };

export const namesApp = (text: string, { name }: Reading) =>
  new RegExp(`(?<!\\p{L})${RegExp.escape(name)}(?!\\p{L})`, 'iu').test(text);

/** Characters of Chinese, Japanese, Korean and Thai say what two or three letters do. */
const dense = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}\p{sc=Hang}\p{sc=Thai}]/gu;
const denseOf = (text: string) => text.match(dense)?.length ?? 0;
export const lengthOf = (text: string) => text.length + denseOf(text);
export const wordsOf = (text: string) => text.split(/\s+/u).length + Math.floor(denseOf(text) / 4);

const shortMax = 36;
export const isShortOf = (text: string | undefined) => !!text && lengthOf(text) < shortMax;

export const isSkipped = ({ section, text }: Line) =>
  section === 'legal' || section === 'praise' || isPraise(text);
export const isUsable = (text: string) => !hasClaim(text) && !isLegal(text) && !isKeywords(text);
/** "Cleaner 💥 Finder 💥 Remover", "Ages 2-5 | Ages 6-8 | Ages 9-12" */
const isKeywords = (text: string) =>
  text.split(' | ').length > 2 ||
  (text.match(/(?<=\S\s*)\p{Extended_Pictographic}(?=\ufe0f?\s*\S)/gu)?.length ?? 0) > 1;

/** A quotation with nothing behind it but a name. */
function isPraise(text: string): boolean {
  const [, rest] = /^["“„«「][^"”“»」]{3,}["”“»」]\s*(.*)$/u.exec(text) ?? [];
  return (
    rest !== undefined && /^(?:$|[–—~-]|\(|\p{Lu}\p{L}*$)/u.test(rest) && !/[?？]\s?["”“»」]$/u.test(text)
  );
}

/** Prose has sentences; a line without one is an item of a list without marks. */
export const endsOpen = ({ text, label }: Line) => label !== null || /[.!?。！？…][)"”“»」』]?$/u.test(text);

/** A sentence that begins with one of these needs the one before it. */
export const leaning: Words = {
  en: '(?:when|if|while|once|until) (?:it|they|so|not)|it|its|they|their|that|this|these|those|he|she|and|but|or|so|then|also|plus|yes|there|perhaps|maybe|instead(?! of)|otherwise|neither|nor|(?:first|second|third|finally)(?=,)|(?:the|all|everything) (?:rest|same|else)',
  // "Das große Heft", "Es gibt"
  de: 'wenn (?:sie|er|es|nicht)|er|sie|es(?! (?:gibt|geht|ist|war)\\b)|das(?! (?:\\p{L}+e )?(?-i:\\p{Lu}))|dies|dieser|diese|dieses|damit|dabei|dafür|dazu|danach|dadurch|davon|daraus|darin|darauf|dort|deshalb|darum|daher|deswegen|stattdessen|sonst|trotzdem|denn|doch|so|dann|und|aber|oder|auch|außerdem|erstens|zweitens|drittens|zuerst(?=,)',
  es: 'y|pero|o|así|est[ae](?! (?:noche|semana|año|mes))|esto|estos|estas|ese|esa|eso|además|también|luego|después(?! de)|por eso|entonces|ahí|allí|(?:primero|segundo|en (?:primer|segundo) lugar)(?=,)',
  fr: "et|mais|ou|si c['’]est|cela|ceci|ça|c['’]est|ce(?! qu)|ces|cette(?! (?:nuit|semaine|année))|il(?! (?:faut|suffit|pleut|y a))|elle|ils|elles|puis|aussi|alors|donc|ensuite|ainsi|d['’]abord|premièrement|deuxièmement|enfin(?=,)",
  pt: 'e|mas|ou|isso|isto|est[ae](?! (?:noite|semana|ano|mês))|esse|essa|ele|ela|assim|também|depois(?! d[eoa])|por isso|então|aí|(?:primeiro|segundo)(?=,)',
  it: 'e|ma|o|questo|questa|così|anche|poi|inoltre|quindi|per questo',
  ja: 'それ|これ|また|そして|しかし|さらに',
};

/** What follows the app's name in a sentence that needs the one before it: "Escrow Lane puts them in order". */
const pointing: Words = {
  en: '\\p{L}+ (?:them|it|those)',
  de: '\\p{L}+ (?:sie|ihn|es|daraus|damit|dabei)',
  es: 'las?|los?|les?',
  fr: "les?|la|l['’]\\p{L}+",
  pt: 'as|os',
};

export const leans = (text: string, read: Reading) =>
  beginsWith(leaning, text, read) ||
  (text.startsWith(`${read.name} `) && beginsWith(pointing, text.slice(read.name.length + 1), read));

/** What the maker says of itself or to its customers. */
export const makers: Words = {
  en: "we|we['’]\\p{L}+|our|us|i|i['’]\\p{L}+|my|welcome|made (?:with|by)",
  de: 'wir|uns|unser\\p{L}*|ich|mein\\p{L}*|willkommen',
  es: 'nuestr\\p{L}+|nosotros|hemos|queremos|soy|somos|hice|llevo|bienvenid\\p{L}',
  fr: "nous|notre|nos|je|j['’]\\p{L}+|bienvenue",
  pt: 'nós|noss\\p{L}+|sou|somos|fiz|bem-vind\\p{L}',
  it: 'noi|nostr\\p{L}+|benvenut\\p{L}',
  ja: '私たち|弊社|当社',
};

/** "The lesson I wish I could have sent home"; in a question, "I" is the reader. */
export const isMakersOwn = (text: string) =>
  splitSentences(text.replace(/["“«„][^"”»“]*["”»“]/gu, '')).some(
    sentence =>
      /(?<!["“«\p{L}])(?:I|my|our|ich|mein\p{L}*)(?!\p{L})/u.test(sentence) && !/[?？]/u.test(sentence),
  );

type Words = Record<string, string>;
const compiled = new Map<string, RegExp>();

export function beginsWith(words: Words, text: string, { language, isFormal }: Reading): boolean {
  const listed = words[language];
  if (listed === undefined || (isFormal && text.startsWith('Sie '))) return false;
  const end = language === 'ja' ? '' : '(?!\\p{L})';
  const pattern = compiled.get(listed) ?? new RegExp(`^(?:${listed})${end}`, 'iu');
  compiled.set(listed, pattern);
  return pattern.test(text);
}

/** Not in capitals, with a capital, and without a full stop where it is one sentence. */
export function finish(text: string, { name, language }: Reading): string {
  const spoken = lowerShouting(capitalise(text, name), name, language);
  const lowered = spoken.replace(shoutedLabel, label => lowerLabel(label, language));
  const isOne = splitSentences(lowered).length === 1;
  return isOne && !abbreviated.test(lowered) ? lowered.replace(/(?<!\.\.|…)[.。]$/u, '') : lowered;
}

const shoutedLabel = /^\p{Lu}[\p{Lu}\p{M}\d &'’/-]{3,29}(?=\s?:\s|\s[–—-]\s)/u;

/** Lowers "SLEEP DIARY" to "Sleep diary". A label that may hold an acronym stays, as do German ones of several words. */
function lowerLabel(label: string, language: string): string {
  const words = label.split(/\s+/u);
  const isKept =
    words.some(word => /^\p{L}{2,3}$/u.test(word) && !small.test(word)) ||
    (language === 'de' && words.length > 1);
  return isKept ? label : label.charAt(0) + label.slice(1).toLowerCase();
}

const small =
  /^(?:a|al|add|all|an|and|any|as|at|by|can|con|da|das|de|del|des|di|do|dos|du|e|een|el|em|en|et|for|get|het|how|il|in|is|it|je|la|las|le|les|lo|los|mes|mon|my|na|new|no|nos|of|off|on|one|op|or|our|out|own|par|per|por|que|qui|see|set|sin|son|sur|sus|tes|the|to|ton|tu|tus|un|una|une|up|use|van|vos|why|with|y|you)$/iu;

/** "iCloud" and the app's name begin as their makers write them. */
export const capitalise = (text: string, name: string) =>
  text.startsWith(name) ? text : text.replace(/^\p{Ll}(?=\p{Ll}|\s)/u, letter => letter.toUpperCase());

const acronyms = /\b(csv|gps|pdf|vat|tv|ai|usb|nfc|api|faq|diy)\b/giu;

/**
 * Converts a text in capitals to sentence case; acronyms, "I" and the app's name keep their case. German nouns would
 * lose theirs.
 */
export function lowerShouting(text: string, appName: string, language = 'en'): string {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (upper < 20 || upper < lower * 2 || language === 'de') return text;
  return text
    .toLowerCase()
    .replace(
      /(^|[.!?]\s+|\n\s*)(\p{Ll})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(/\bi\b/gu, 'I')
    .replace(/\bicloud\b/gu, 'iCloud')
    .replace(acronyms, acronym => acronym.toUpperCase())
    .replace(new RegExp(RegExp.escape(appName), 'giu'), appName);
}
