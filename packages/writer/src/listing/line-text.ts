/** A line without its mark and its markup. `mark`: a bullet of any kind, a step of a numbered list, or none. */
export type BareLine = { text: string; mark: 'bullet' | 'step' | null };

/** Characters of a line that are read: some patterns take the square of the length. */
export const readMax = 500;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const emoji = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[0-9#*]\ufe0f?\u20e3)/u;
const symbol = /^[-–—‒―*•⁃‧·∙⋅‣>»›→⇒↳×√~|♥・※_=#\u200b\ufeff]|^\p{So}/u;
/** "1.", "2)", "(3)", "4/ ", "5、", "6 · ", "①", "[x]". */
const enumerator = /^(?:\(?\d{1,2}(?:[.)](?!\d)|、|\/\s|\s[-–—·]\s)|\[[ xX✓]?\]|[①-⑳⓪❶-❿])\s*/u;
/** "Q: Is it open?", "R : Les horaires sont ceux des gardiens." */
const speaker = /^[QAFPRDV]\d{0,2}\s?(?:[:：]\s*|\.\s+)(?=\P{Ll})/u;
const ordinals =
  '(?:(?:the|de[rs]|die|das|el|la|le|[oa]|il) (?:first|second|third|fourth|erste|zweite|dritte|vierte|primer[oa]|segund[oa]|tercer[oa]|cuart[oa]|premi(?:er|ère)|deuxième|troisième|quatrième|primeir[oa]|terceir[oa]|prim[oa]|second[oa]|terz[oa]|quart[oa])\\s?:|(?:first|second|third)(?:ly)?\\s?[:,]|(?:erstens|zweitens|drittens|primero|segundo|tercero|premièrement|deuxièmement|troisièmement|primeiro|terceiro|primo|secondo|terzo)\\s?[:,])\\s+';
/** "La prima: ", "First, ", "Erstens: ", but not "Der erste: was war. Der zweite: was bleibt." */
export const ordinal = new RegExp(`^${ordinals}(\\p{L})(?!.*[.;!?] ${ordinals})`, 'iu');

/**
 * The text without HTML, character references and links of Markdown, its lines separated by "\n". Steps with bare
 * digits ("1 Photograph the panel" above "2 Walk around") get their dots. A reference may name a control character or half
 * of another, which no database stores.
 */
export function readMarkup(text: string): string {
  return text
    .replace(/^\s*[❌✗✘].*$/gmu, '')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|h\d|ul|ol)>/giu, '\n')
    .replace(/<li(?:\s[^<>]{0,80})?>/giu, '\n• ')
    .replace(/<\/?[a-z][a-z0-9]{0,10}(?:\s+[a-z-]+=[^<>]{0,80})?\s*\/?>/giu, '')
    .replace(/&#(\d{2,6}|x[\da-f]{2,5});/giu, (_, code: string) => String.fromCodePoint(Number(`0${code}`)))
    .replace(/&(\p{L}{2,6});/gu, (whole: string, name: string) => references[name] ?? whole)
    .replace(/\[([^[\]\n]{1,80})\]\([^()\s]{1,200}\)/gu, '$1')
    .replace(/^1 \p{Lu}.*\n+2 \p{Lu}[\s\S]*/mu, steps => steps.replace(/^\d(?= \p{Lu})/gmu, '$&.'))
    .replace(/(?<=\S )_{2,}(?= \S)/gu, '…')
    .replace(/[\u200b\u2060\ufeff\u00ad[[\p{Cs}\p{Cc}]--\s]]/gv, '')
    .replace(/\s{2,}|[\r\u2028\u2029]/gu, run =>
      /[\n\r\u2028\u2029]/u.test(run) ? lineEnd(run) : run.charAt(0),
    );
}

const references: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  bull: '•',
  middot: '·',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
};

/** A blank line stays one. */
const lineEnd = (run: string) =>
  (run.replace(/\r\n?/gu, '\n').match(/[\n\u2028\u2029]/gu)?.length ?? 0) > 1 ? '\n\n' : '\n';

/** "Step 1 Turn the seat over" */
const stepWord = /^(?:step|schritt|paso|passo|étape|etapa|stap)\s(\d{1,2})(?:[.:)]\s*|\s+)/iu;

/** Strips the mark of a line, whole characters at a time, its emphasis and what decorates its end. */
export function bareLine(line: string): BareLine {
  const cut = cutAtSpace(line.trim(), readMax).replace(stepWord, '$1. ');
  const [step] = /^(?:\d{1,2}(?:[.)](?!\d)|、|\/\s|\s[-–—]\s)|\d\ufe0f?\u20e3)/u.exec(cut) ?? [];
  const plain = dropEmphasis(cut.replace(shoutedEmphasis, '$2: ').replace(framed, '$1: '));
  const unmarked = dropMarks(plain);
  const told = unmarked.replace(speaker, '').replace(ordinal, (_, letter: string) => letter.toUpperCase());
  const mark = step ? 'step' : unmarked !== plain ? 'bullet' : null;
  return { text: spellOut(dropEnd(dropEmphasis(told))), mark };
}

function cutAtSpace(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  const end = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('。') + 1);
  return cut.slice(0, end > 0 ? end : max);
}

const emphasised =
  /(?<![\p{L}\p{N}*_~])(\*{1,3}|_{1,3}|~~|`)(?=[^\s*_])([^*_~`]*[^\s*_~`])\1(?![\p{L}\p{N}])/gu;

/** "*VENDER* anota o pedido da cliente" */
const shoutedEmphasis = /^(\*{1,2}|_{1,2})(\p{Lu}[\p{Lu} ]{2,30})\1 (?=[\p{L}\p{N}])/u;

/** "+++ TERMINE +++ Spiele, Turniere" */
const framed = /^\+{2,}\s(.{2,30}?)\s\+{2,}(?:\s|$)/u;

const dropEmphasis = (text: string) => text.replace(emphasised, '$2').replace(/\*{2,}|_{2,}|~~|`/gu, '');

/** Code units of the longest mark: an emoji of a family with skin tones has 19. */
const markMax = 40;

function dropMarks(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.trimStart().replace(enumerator, '');
    const [first] = graphemes.segment(rest.slice(0, markMax));
    if (first === undefined) break;
    const next = rest.slice(first.segment.length);
    // "-20°", "+500", "#1": a sign belongs to its number.
    const isSign = /^[-+~#]$/u.test(first.segment) && /^\d/u.test(next);
    const isPlus = first.segment === '+' && /^(?:\p{L}|\s(?!de\s\d))/u.test(next);
    if (!isSign && (isPlus || emoji.test(first.segment) || symbol.test(first.segment))) rest = next;
  }
  return rest.trimStart();
}

/** Drops emoji, symbols and spaces at the end; a star may be a rating. */
function dropEnd(text: string): string {
  // A footnote's mark stays.
  if (/[\p{L}.!?)][*†‡]?$/u.test(text)) return text;
  const parts = [...graphemes.segment(text.replace(/(?<=[\p{L})!?.]\s?)[★⭐]\ufe0f?$| [+~|]$/u, ''))].map(
    ({ segment }) => segment,
  );
  const isRating = (part: string) => /^[★⭐\d#*]/u.test(part);
  const isDecoration = (part: string) =>
    part.trim() === '' ||
    part === '*' ||
    (!isRating(part) && !/^[°©®™]/u.test(part) && (emoji.test(part) || symbol.test(part)));
  const closes = (part: string) => part === '»' && text.includes('«');
  const end = parts.findLastIndex(part => closes(part) || !isDecoration(part));
  return parts.slice(0, end + 1).join('');
}

/** What listings abbreviate: "w/ passengers", "MAPS ▸ Every path", "Day -> Night", "(new!)", two exclamation marks. */
const spellOut = (text: string) =>
  text
    .replace(/\bincl\.\s/gu, 'including ')
    .replace(/^\+ (?=de\s\d)/u, 'Plus ')
    .replace(/(?<!\p{L})w\/\s?o\b\s*/giu, 'without ')
    .replace(/(?<!\p{L})w\/\s?/giu, 'with ')
    .replace(/^([^.!?:▸►▶]{2,30}?)\s*[▸►▶]\s*(?!.*[▸►▶])/u, '$1: ')
    .replace(/\s*(?:➜|➡️?|▸|►|▶|->|=>)\s*/gu, ' → ')
    .replace(
      /\s*[([](?:new|neu|nuevo|nouveau|novo|nuovo)!?[)\]]|^(?:new|neu|nuevo|nouveau|novo|nuovo)!?\s?[:–-]\s/giu,
      '',
    )
    .replace(/(?<!!)!!(?!!)/gu, '!')
    .replace(/\s+/gu, ' ')
    .trim();

/** A text that ends in an abbreviation keeps its full stop. */
export const abbreviated =
  /(?:^|[\s(„“«])(?:\p{L}|\p{L}\.\s?\p{L}|incl|inkl|bzw|ca|etc|vs|approx|usw|evtl|max|min|dr|mr|mrs|st|no|nr|ej|aprox|co|inc|ltd|u\.\s?a|a\.m|p\.m|(?:d(?:er|ie|as|e[mns])|am|zu[mr]|vom|und|bis|im) \d{1,2})\.$|^\d{1,2}\.$/iu;

/** "str. 86", "pág. 4": a word without a vowel before a number. */
const shortened = /(?<!\p{L})(?:[b-df-hj-np-tv-xz]{2,4}|art|cap|fig|kap|p[aá]g|sec|vol)\.$/iu;

/** Characters of Chinese, Japanese, Korean and Thai say what two or three letters do. */
const dense = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}\p{sc=Hang}\p{sc=Thai}]/gu;
export const denseOf = (text: string) => text.match(dense)?.length ?? 0;
export const lengthOf = (text: string) => text.length + denseOf(text);

/** Chinese and Japanese have no space between sentences. */
export const joinSentences = (...sentences: string[]): string =>
  sentences.reduce(
    (told, sentence) => `${told}${told === '' || /[。！？]/u.test(told) ? '' : ' '}${sentence}`,
    '',
  );

/** Sentences of a paragraph; "a.m.", "z. B.", "e.g." and what is in brackets end none. */
export function splitSentences(text: string): string[] {
  const parts = text.split(/(?<=[.!?…](?:[)"”“»’]|\s»)?)\s+(?!»)|(?<=[。！？][」』）]?)(?![」』）])/u);
  const sentences: string[] = [];
  for (const part of parts) {
    const before = sentences.at(-1);
    const isOpen =
      before !== undefined &&
      (abbreviated.test(before) ||
        /^[\p{Ll}?!]/u.test(part) ||
        (/^\d/u.test(part) && shortened.test(before)) ||
        /\([^)]*$/u.test(before));
    if (isOpen) sentences[sentences.length - 1] = `${before} ${part}`;
    else sentences.push(part);
  }
  return sentences.map(sentence => sentence.trim()).filter(Boolean);
}
