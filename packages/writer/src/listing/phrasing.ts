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
    rest !== undefined &&
    /^(?:$|[–—~-]|\(|[.,]?\s?\p{Lu}[\p{L}\d, ’'-]{0,30}$)/u.test(rest) &&
    !/[?？]\s?["”“»」]$/u.test(text)
  );
}

/** Prose has sentences; a line without one is an item of a list without marks. */
export const endsOpen = ({ text, label }: Line) => label !== null || /[.!?。！？…][)"”“»」』]?$/u.test(text);

/** A sentence that begins with one of these needs the one before it. */
export const leaning: Words = {
  en: '(?:when|if|while|once|until) (?:you \\p{L}+ )?(?:it|them|they|so|not)|\\p{L}+ (?:it|them|one)(?= and|;)|it|its|they|their|that|this|these|those|he|she|and|but|or|so|then|also|plus|yes|there|perhaps|maybe|instead(?! of)|otherwise|neither|nor|(?:first|second|third|finally)(?=,)|(?:the|all|everything) (?:rest|same|else)',
  // "Das große Heft", "Es gibt"
  de: 'wenn (?:sie|er|es|nicht)|er|sie|es(?! (?:gibt|geht|ist|war)\\b)|das(?! (?:\\p{L}+e )?(?-i:\\p{Lu}))|dies|dieser|diese|dieses|damit|dabei|dafür|dazu|danach|dadurch|davon|daraus|darin|darauf|dort|deshalb|darum|daher|deswegen|stattdessen|sonst|trotzdem|denn|doch|so|dann|und|aber|oder|auch|außerdem|erstens|zweitens|drittens|zuerst(?=,)',
  es: 'y|pero|o|así|est[ae](?! (?:noche|semana|año|mes))|esto|estos|estas|ese|esa|eso|además|también|luego|después(?! de)|por eso|entonces|ahí|allí|(?:primero|segundo|en (?:primer|segundo) lugar)(?=,)',
  fr: "et|mais|ou|aucune?(?= n['’e])|vous trouverez aussi|si c['’]est|cela|ceci|ça|c['’]est|ce(?! qu)|ces|cette(?! (?:nuit|semaine|année))|il(?! (?:faut|suffit|pleut|y a))|elle|ils|elles|puis|aussi|alors|donc|ensuite|ainsi|d['’]abord|premièrement|deuxièmement|enfin(?=,)",
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

const capitalOf = (letter: string) => letter.toUpperCase();

/** Not in capitals, with a capital, and without a full stop where it is one sentence. */
export function finish(text: string, { name, language }: Reading): string {
  const spoken = lowerShouting(capitalise(text, name), name, language).replace(/\s?;$/u, '');
  // A German label of several words would lose the capitals of its nouns.
  const lowered = spoken.replace(shoutedLabel, label => {
    if (language !== 'de') return lowerCapitals(label, name);
    return label.includes(' ') ? label : lowerCapitals(label, name).replace(/-\p{Ll}/gu, capitalOf);
  });
  const isOne = splitSentences(lowered).length === 1;
  return isOne && !abbreviated.test(lowered) ? lowered.replace(/(?<!\.\.|…)[.。]$/u, '') : lowered;
}

/** "SLEEP DIARY: ", "8 WORLDS – ", "PLANS CHANGE? ", "INSTANT ALERT in your street" */
const shoutedLabel =
  /^(?=\P{Ll}*(?:\p{Lu}{4}|\p{Lu} \p{Lu}{3}))[\p{Lu}\d][\p{Lu}\p{M}\d &'’/,.+!?-]{3,44}?(?:(?=\s?:\s|\s[–—-]\s)|(?<=[!?])(?=\s\P{L}*\p{Lu}?\p{Ll})|(?<= \p{Lu}{3,})(?=\s\p{Ll}))/u;

/** "iCloud" and the app's name begin as their makers write them. */
export const capitalise = (text: string, name: string) =>
  text.startsWith(name) ? text : text.replace(/^\p{Ll}(?=\p{Ll}|\s)/u, letter => letter.toUpperCase());

/** Words without a vowel, and some that have one. */
const acronyms =
  /(?<![\p{L}\d'’])(?:[b-df-hj-np-tv-xz]{2,5}|\d+[a-z]|abc|ai|api|bmi|diy|eta|eu|faq|hiit|iban|isbn|iva|mei|ocr|uk|usa|usb|uv|vat)(?![\p{L}\d])/giu;

/**
 * Converts a text in capitals to sentence case; acronyms, "I" and the app's name keep their case. German nouns would
 * lose theirs.
 */
export function lowerShouting(text: string, appName: string, language = 'en'): string {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  return upper < 20 || upper < lower * 2 || language === 'de' ? text : lowerCapitals(text, appName);
}

const lowerCapitals = (text: string, appName: string) =>
  text
    .toLowerCase()
    .replace(
      /(^|[.!?]\s+|\n\s*)(\p{Ll})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(/\bi\b/gu, 'I')
    .replace(/\bicloud\b/gu, 'iCloud')
    .replace(acronyms, acronym => acronym.toUpperCase())
    .replace(new RegExp(RegExp.escape(appName), 'giu'), () => appName);
