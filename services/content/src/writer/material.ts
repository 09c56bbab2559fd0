import { detectLanguage } from './language.ts';
import { type AppName, shortenName } from './short-name.ts';
import { hasBannedPhrase, hasClaim, isLegal } from './text-filters.ts';

/** What a text may be made of. Every feature keeps the line of the listing that it came from. */
export type Material = {
  name: AppName;
  language: string;
  /** Lower-case name, description and category: what packs and their entries are matched against. */
  haystack: string;
  category: string | null;
  store: 'apple' | 'google' | null;
  features: Feature[];
  audiences: string[];
  /** Whole sentences of the maker that claim nothing, in order. */
  sentences: string[];
};
export type Feature = { text: string; form: 'imperative' | 'noun'; source: string };

export type MaterialSource = {
  name: string;
  description: string | null;
  summary?: string | null;
  category: string | null;
  country: string | null;
  store: 'apple' | 'google' | null;
};

type Section = 'intro' | 'features' | 'audience' | 'steps' | 'legal' | 'other';

const headings: [RegExp, Section][] = [
  [
    /\b(terms|privacy|pricing|price|plus|premium|pro|security|support|imprint|abo|datenschutz|contact|legal)\b|料金|お問い合わせ|プライバシー/iu,
    'legal',
  ],
  [/made for|who (uses|it)|für wen|para quién|perfect for|こんな方/iu, 'audience'],
  [/how (it|to)|so funktioniert|cómo funciona|使い方/iu, 'steps'],
  [/what you get|features|what makes|incluye|das kann|主な機能/iu, 'features'],
];

const bullet =
  /^\s*(?:[-–—*•·・▪■✓✔➜►]|(?:\p{Extended_Pictographic}\ufe0f?)+|\d{1,2}[.)]|\d\ufe0f?\u20e3)\s*/u;
const stepMark = /^\s*(?:\d{1,2}[.)]|\d\ufe0f?\u20e3)/u;

/** Verbs that open a line which tells the reader what to do; anything else at the start makes the line a noun phrase. */
const leadingVerbs = new Set(
  `add ask book browse build buy change check choose clear collect compare convert count cook create cut delete describe discover
  draw earn edit explore export fill find finish follow get give group hand hear import invite join keep know learn let listen log look
  make manage mark measure meet mix move name note open organise organize pay pick plan play practise practice print put read record
  relax remember remove repeat replace restore review save scan schedule search see send set share show sign skip snap solve
  sort speak split start stay stop store swap swipe sync take tap teach tell track train translate try turn type unwind upload use view visit wait
  wake walk watch write`.split(/\s+/),
);

/** Reads a listing by lines: marked lines and "LABEL: sentence" are features, prose gives sentences, legal sections are left out. */
export function extractMaterial(source: MaterialSource): Material {
  const name = shortenName(source.name);
  const description = lowerShouting(source.description || source.summary || '', name.short);
  const language = detectLanguage(description.replace(/https?:\S+/g, '') || source.name, source.country);
  const features: Feature[] = [];
  const audiences: string[] = [];
  const sentences: string[] = [];
  for (const { line, section } of readLines(description)) {
    if (section === 'legal') continue;
    if (section === 'audience') audiences.push(...splitSentences(line).flatMap(readAudience));
    else if (bullet.test(line) || /^\p{Lu}[\p{Lu} ]{2,20}:\s/u.test(line)) {
      const feature = section === 'steps' || stepMark.test(line) ? null : readFeature(line, name.short);
      if (feature) features.push(feature);
    } else {
      for (const sentence of splitSentences(line)) {
        if (!hasClaim(sentence)) audiences.push(...readAudience(sentence));
        if (!isUsable(sentence)) continue;
        sentences.push(sentence);
        const order = readOrder(sentence, name.short);
        if (order) features.push(order);
      }
    }
  }
  return {
    name,
    language,
    haystack:
      `${source.name} ${source.description ?? ''} ${source.summary ?? ''} ${source.category ?? ''}`.toLowerCase(),
    category: source.category,
    store: source.store,
    features: features.slice(0, 12),
    audiences: [...new Set(audiences)].slice(0, 6),
    sentences: sentences.slice(0, 12),
  };
}

function* readLines(description: string): Generator<{ line: string; section: Section }> {
  let section: Section = 'intro';
  for (const raw of description.split('\n')) {
    const line = raw.trim();
    if (!line) continue;
    const bare = line.replace(/^■\s*/, '');
    const isHeading =
      bare.length <= 40 && !/[.!。]$/.test(bare) && !(bullet.test(line) && !line.startsWith('■'));
    if (isHeading) {
      const found = headings.find(([pattern]) => pattern.test(bare))?.[1];
      section = found ?? (isLegal(bare) ? 'legal' : section === 'legal' ? 'legal' : 'other');
      if (found !== undefined || /:$|\?$/.test(bare) || line.startsWith('■')) continue;
    }
    yield { line, section };
  }
}

function readFeature(line: string, appName: string): Feature | null {
  const bare = line.replace(bullet, '').trim();
  const [, label, rest] = /^(\p{Lu}[\p{L} -]{2,30}):\s+(\p{L}.*)$/u.exec(bare) ?? [];
  // "IDENTIFY: Take a photo …": the label only repeats what the sentence says.
  const isShoutedLabel = label !== undefined && label === label.toUpperCase();
  const body = isShoutedLabel ? rest! : label !== undefined ? label : bare;
  const text = firstClause(body.replace(/\s*\([^)]*\)/g, ''));
  const words = text.split(/\s+/).length;
  if (!text || words > 16 || words < 2 || text.length > 120) return null;
  if (!isUsable(`${text}.`, 1) || /["“”「」]/.test(text) || includesName(text, appName)) return null;
  const first = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? '';
  // "Works offline", "no timers", "Yellow leaves?", "…, and we …" make no slide of their own.
  const isFragment = /^(works|starts|syncs|comes|lets|helps|supports|keeps|shows|gives|no|not)$/.test(first);
  if (isFragment || /, (and|but) (we|it) /.test(text) || body.charAt(text.length) === '?') return null;
  return { text, form: leadingVerbs.has(first) ? 'imperative' : 'noun', source: line };
}

/** A sentence that tells the reader what to do is a feature as well, unless it leans on the sentence before it. */
function readOrder(sentence: string, appName: string): Feature | null {
  const text = sentence.replace(/[.]$/, '');
  const words = text.split(/\s+/);
  const isOrder = leadingVerbs.has(words[0]!.toLowerCase()) && /[\p{L}\p{N}]$/u.test(text);
  const leans = /\b(it|own|this|that|them|we|more)\b/i.test(text) || includesName(text, appName);
  const isShort = words.length >= 6 && words.length <= 16 && text.length <= 120;
  return isOrder && isShort && !leans ? { text, form: 'imperative', source: sentence } : null;
}

/** Up to the first dash, semicolon or full stop, never inside brackets; colons are kept out too. */
function firstClause(text: string): string {
  return (text.split(/\s[–—-]\s|[;:]\s|(?<=\p{L}{2})[.!?](?:\s|$)/u)[0] ?? '')
    .replace(/[.,;:!]+$/u, '')
    .trim();
}

function readAudience(text: string): string[] {
  const named =
    /(?:^|\b)(?:is |was made |made )?for (.+?)[.!]?$|^(?:perfect for )(.+?)[.!]?$|^(.+?) write to us/iu.exec(
      text,
    );
  const isList = /^[\p{Lu}]\p{L}+(?: \p{L}+){0,2}, /u.test(text);
  const list = named?.[2] ?? named?.[3] ?? named?.[1] ?? (isList ? text : null);
  if (!list || list.length > 160) return [];
  return list
    .replace(/\s(?:who|that|which)\s.*$/i, '')
    .split(/,\s*(?:and\s+)?|\s+and\s+/u)
    .map(part => part.replace(/^for /i, '').replace(/[.!]$/, '').trim())
    .filter(part => isAudience(part))
    .map(part => part.charAt(0).toLowerCase() + part.slice(1));
}

const notPeople =
  /^(?:two|three|four|six|extra) |^(it|people|groceries|rent|food|fun|everything|adults|those|that|them|all|you|us|trips|grown-ups)$/i;

/** A plural of people in one to four words: "shift workers", "nurses on rotating shifts". */
function isAudience(part: string): boolean {
  const words = part.split(/\s+/);
  const head =
    words[0] === 'people' || words[0] === 'parents'
      ? words[0]
      : (words.find((_, i) => /^(on|with|of|in)$/i.test(words[i + 1] ?? '')) ?? words.at(-1)!);
  const isPlural = /[^s]s$/i.test(head) || head === 'people';
  return (
    words.length <= 5 &&
    isPlural &&
    /^[\p{L}' -]+$/u.test(part) &&
    !notPeople.test(part) &&
    /^(people with |[^ ]+( |$))/.test(part) &&
    !/\b(who|that|your|both|the|its|apps?|nights|invoices|menus|puzzles|plants|storage)\b/i.test(part)
  );
}

function splitSentences(line: string): string[] {
  return line
    .replace(/(?:\p{Extended_Pictographic}\ufe0f?)+/gu, '\n')
    .split(/\n|(?<=[.!?。！？]["”」]?)(?:\s+|(?<=[。！？]))/u)
    .map(sentence => sentence.trim())
    .filter(Boolean);
}

/** A sentence somebody could repeat: whole, no claim, no legal text, no quotation, no list of keywords. */
function isUsable(sentence: string, wordsMin = 4): boolean {
  const commas = sentence.split(',').length - 1;
  return (
    /[.!?。]$/.test(sentence) &&
    (sentence.split(/\s+/).length >= wordsMin || /[。]$/.test(sentence)) &&
    sentence.length <= 220 &&
    commas <= 4 &&
    !hasClaim(sentence) &&
    !isLegal(sentence) &&
    !hasBannedPhrase(sentence) &&
    !/^["“]|version \d|thank you|^tags:|eat any plant|crash/iu.test(sentence)
  );
}

function includesName(text: string, appName: string): boolean {
  return text.toLowerCase().includes(appName.toLowerCase());
}

const acronyms = /\b(csv|gps|pdf|vat|tv|ai|usb|nfc|api|faq|diy)\b/giu;

/** A text in capitals becomes sentence case, with acronyms, "I" and the app's name as they are written. */
export function lowerShouting(text: string, appName: string): string {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (upper < 20 || upper < lower * 2) return text;
  return text
    .toLowerCase()
    .replace(
      /(^|[.!?]\s+|\n\s*)(\p{Ll})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    )
    .replace(/\bi\b/gu, 'I')
    .replace(/\bicloud\b/gu, 'iCloud')
    .replace(acronyms, acronym => acronym.toUpperCase())
    .replace(new RegExp(appName.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu'), appName);
}
