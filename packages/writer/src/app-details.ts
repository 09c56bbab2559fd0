import { readKind } from './kind.ts';
import { chooseLanguage, fillLine, getLines } from './lines.ts';
import { extractMaterial, type Material, type MaterialSource } from './listing/material.ts';

const charactersMax = 400;

/**
 * The `details` of an app, at most 400 characters, in the listing's language: its first sentences that make
 * no claims, then, if there is room, its features and audiences. With one sentence or none, a plain line
 * about the app and its developer.
 */
export function describeApp(app: MaterialSource, developer: string | null): string {
  const material = extractMaterial(app);
  const separator = /^(ja|zh|th)$/.test(material.language) ? '' : ' ';
  const told = joinWithin(material.sentences.slice(0, 3), separator);
  const added = chooseLanguage(material.language) === material.language ? factsOf(material) : [];
  const isEnough = material.sentences.length > 1 || told.length > 100;
  const own = isEnough ? [told] : [told, nameLine(material, developer)];
  return joinWithin([...own.filter(Boolean), ...added], separator);
}

/** The longest run of whole sentences from the start that fits the limit. */
function joinWithin(sentences: readonly string[], separator: string): string {
  let text = '';
  for (const sentence of sentences) {
    const longer = text ? text + separator + sentence : sentence;
    if (longer.length <= charactersMax) text = longer;
  }
  return text;
}

/** Features and audiences, unless a sentence of the listing already states them. */
function factsOf({ features, audiences, sentences, name, language }: Material): string[] {
  const { details } = getLines(language);
  const told = sentences.slice(0, 3).join(' ').toLowerCase();
  const isNew = (text: string) => !told.includes(text.toLowerCase().slice(0, 20));
  const people = audiences.filter(isNew).slice(0, 3);
  const lines = features.filter(({ text }) => text.length <= 60 && isNew(text)).slice(0, 3);
  const list = lines.map(({ text }) => text).join('; ');
  return [
    ...(lines.length > 0 ? [fillLine(details.has, { name: name.short, list })!] : []),
    ...(people.length > 0
      ? [fillLine(details.for, { list: new Intl.ListFormat(language).format(people) })!]
      : []),
  ];
}

function nameLine(material: Material, developer: string | null): string {
  const language = chooseLanguage(material.language);
  const { details } = getLines(language);
  const maker = developer ? fillLine(details.maker, { developer: developer.replace(/\.$/, '') })! : '';
  const kind = readKind(material, language, false);
  return fillLine(details.is, { name: material.name.short, ...kind, maker })!;
}
