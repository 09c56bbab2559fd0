import { createRecall, listingsMax } from '../recall.ts';
import { hasClaim, isLegal } from '../text-filters.ts';
import { readAudiences } from './audiences.ts';
import {
  bullet,
  type Feature,
  isUsable,
  readFeature,
  readHeadedFeature,
  readMax,
  shoutedLabel,
  stepMark,
} from './features.ts';
import { detectLanguage } from './language.ts';
import { type AppName, shortenName } from './short-name.ts';

/** The parts of a listing that texts are made from. Every feature keeps its source line. */
export type Material = {
  name: AppName;
  language: string;
  /** Lower-case name, description and category; topics are matched against it. */
  haystack: string;
  category: string | null;
  store: 'apple' | 'google' | null;
  features: Feature[];
  audiences: string[];
  /** Whole sentences of the listing without claims, in order. */
  sentences: string[];
  /** What the listing says first: its opening line or the first sentence of it, without its full stop. */
  pitch: string | null;
};
export type MaterialSource = {
  name: string;
  description: string | null;
  summary?: string | null;
  category: string | null;
  country: string | null;
  store: 'apple' | 'google' | null;
  /** Primary subtag of a language that a person named; without it the texts show the language. */
  language?: string | null;
};

type Section = 'intro' | 'features' | 'audience' | 'steps' | 'legal' | 'other';

const headings: [RegExp, Section][] = [
  [
    /\b(terms|privacy|pricing|price|plus|premium|pro|security|support|imprint|abo|datenschutz|contact|legal)\b|料金|お問い合わせ|プライバシー/iu,
    'legal',
  ],
  [/what['’]?s new|release notes|changelog|^(?:new|changes) in\b|neu in|neuigkeiten|novedades/iu, 'legal'],
  [/made for|^who\b|für wen|para quién|perfect for|こんな方/iu, 'audience'],
  [/how (it|to)|so funktioniert|cómo funciona|使い方/iu, 'steps'],
  [/what you get|features|what makes|incluye|das kann|主な機能/iu, 'features'],
];

/**
 * Reads a listing by lines: marked lines and "LABEL: sentence" give features, prose gives sentences, legal
 * sections are skipped.
 */
export function extractMaterial(source: MaterialSource): Material {
  const { name, description, summary, category, country, store, language } = source;
  const key = JSON.stringify([name, description, summary, category, country, store, language]);
  return recallMaterial(key, () => readMaterial(source));
}

const recallMaterial = createRecall<Material>(listingsMax);

function readMaterial(source: MaterialSource): Material {
  const name = shortenName(source.name);
  const description = lowerShouting(collapseSpace(source.description || source.summary || ''), name.short);
  const language =
    source.language ?? detectLanguage(description.replace(/https?:\S+/g, '') || source.name, source.country);
  const found: Found = { features: [], audiences: [], sentences: [] };
  for (const line of readLines(description)) readLine(line, name.short, language, found);
  return {
    name,
    language,
    haystack:
      `${source.name} ${source.description ?? ''} ${source.summary ?? ''} ${source.category ?? ''}`.toLowerCase(),
    category: source.category,
    store: source.store,
    features: uniqueFeatures(found.features).slice(0, 12),
    // Where the app must stay unnamed, an audience that contains its name would reveal it.
    audiences: [...new Set(found.audiences)].filter(group => !includesName(group, name.short)).slice(0, 6),
    sentences: found.sentences.slice(0, 12),
    pitch: readPitch(description, name.short),
  };
}

/**
 * One space or line break for every run of them. Patterns that begin with a space try each space of a run:
 * 9,900 in a line took 700 ms.
 */
function collapseSpace(text: string): string {
  return text.replace(/\s{2,}|[\r\u2028\u2029]/gu, run =>
    /[\n\r\u2028\u2029]/u.test(run) ? '\n' : run.charAt(0),
  );
}

const pitchMax = 90;

/**
 * The first unmarked line that can stand on a slide alone, in at most 90 characters; else its first
 * sentences.
 */
function readPitch(description: string, appName: string): string | null {
  const lines = description
    .split('\n')
    .map(line => lowerShouting(line.trim(), appName))
    .filter(line => line !== '' && !bullet.test(line))
    .slice(0, 3);
  const isPitch = (text: string) =>
    text.length <= pitchMax &&
    text.split(/\s+/).length >= 4 &&
    /[.!]$/.test(text) &&
    !/["“”„«»?:;]|(?<!\p{L})(?:we|our|us|wir|unser\p{L}*|nuestr\p{L}+)(?!\p{L})/iu.test(text) &&
    !/^(?:made|built|designed|for|perfect|works|this|it|für|gemacht|para|hecho)\b/iu.test(text) &&
    isUsable(text, 1);
  const parts = lines.flatMap(line => [line, splitSentences(line)[0] ?? '']);
  return parts.find(isPitch)?.replace(/[.!]+$/, '') ?? null;
}

type Found = Pick<Material, 'features' | 'audiences' | 'sentences'>;
type Line = { line: string; section: Section; heading: string | null };

function readLine({ line, section, heading }: Line, appName: string, language: string, found: Found): void {
  if (section === 'legal') return;
  if (section === 'audience') {
    found.audiences.push(...readable(line).flatMap(sentence => readAudiences(sentence, language)));
    return;
  }
  if (bullet.test(line) || shoutedLabel.test(line)) {
    const isStep = section === 'steps' || stepMark.test(line);
    const feature = isStep ? null : readFeature(line, appName);
    if (feature) found.features.push(feature);
    return;
  }
  const headed = heading ? readHeadedFeature(heading, line, appName) : null;
  if (headed) found.features.push(headed);
  for (const sentence of readable(lowerShouting(line, appName))) {
    if (!hasClaim(sentence)) found.audiences.push(...readAudiences(sentence, language));
    if (!isUsable(sentence)) continue;
    found.sentences.push(sentence);
  }
}

const includesName = (text: string, appName: string) => text.toLowerCase().includes(appName.toLowerCase());

function uniqueFeatures(features: readonly Feature[]): Feature[] {
  return features.filter(({ text }, i) => features.findIndex(other => other.text === text) === i);
}

/**
 * Lines with their section. `heading`: an unknown heading directly above, in a listing where every feature
 * has one.
 */
function* readLines(description: string): Generator<Line> {
  let section: Section = 'intro';
  let heading: string | null = null;
  let isNumbered = false;
  const all = description
    .split('\n')
    .map(raw => raw.trim())
    .filter(Boolean);
  for (const [i, line] of all.entries()) {
    // Numbered steps end where lines with another mark begin.
    if (section === 'steps' && isNumbered && bullet.test(line) && !stepMark.test(line)) section = 'other';
    isNumbered = stepMark.test(line);
    const bare = line.replace(/^■\s*/, '');
    // Squares above text are headings; squares one below the other are a list.
    const isSquare = line.startsWith('■') && !all[i - 1]?.startsWith('■') && !all[i + 1]?.startsWith('■');
    const isHeading = bare.length <= 40 && !/[.!。]$/.test(bare) && (isSquare || !bullet.test(line));
    if (isHeading) {
      const found = headings.find(([pattern]) => pattern.test(bare))?.[1];
      section = found ?? (isLegal(bare) ? 'legal' : section === 'legal' ? 'legal' : 'other');
      const isKnown = found !== undefined || /:$|\?$/.test(bare) || isSquare;
      // A line in capitals heads a section; in a listing that is all capitals they were lowered before.
      heading = isKnown || bare === bare.toUpperCase() ? null : bare;
      continue;
    }
    yield { line, section, heading };
    heading = null;
  }
}

function splitSentences(line: string): string[] {
  return line
    .replace(/(?:\p{Extended_Pictographic}\ufe0f?)+/gu, '\n')
    .split(/\n|(?<=[.!?。！？]["”」]?)(?:\s+|(?<=[。！？]))/u)
    .map(sentence => sentence.trim())
    .filter(Boolean);
}

/** The sentences of a line that are short enough to be read. */
const readable = (line: string) => splitSentences(line).filter(({ length }) => length <= readMax);

const acronyms = /\b(csv|gps|pdf|vat|tv|ai|usb|nfc|api|faq|diy)\b/giu;

/** Converts a text in capitals to sentence case; acronyms, "I" and the app's name keep their case. */
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
