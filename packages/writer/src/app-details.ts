import { chooseLanguage, fillFrame, getFrames } from './frames.ts';
import { featureSlots } from './hook-frames.ts';
import { lowerFirst } from './listing/features.ts';
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
  const own = isEnough ? [told] : [told, nameLine(material, app.category, developer)];
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
  const frames = getFrames(language).details;
  const told = sentences.slice(0, 3).join(' ').toLowerCase();
  const isNew = (text: string) => !told.includes(text.toLowerCase().slice(0, 20));
  const list = (texts: readonly string[]) => new Intl.ListFormat(language).format(texts);
  const facts: string[] = [];
  const people = audiences.filter(isNew).slice(0, 3);
  const short = features.filter(({ text }) => text.length <= 60 && !text.includes(',') && isNew(text));
  const nouns = short.filter(({ form }) => form === 'noun').slice(0, 3);
  const acts = short
    .filter(
      ({ form, text }) => (form === 'imperative' || form === 'infinitive') && !/\s(?:and|und|y)\s/.test(text),
    )
    .slice(0, 2);
  if (nouns.length >= 2) {
    const phrases = nouns.map(feature => featureSlots(feature, language).noun!);
    facts.push(fillFrame(frames.has, { name: name.short, list: list(phrases) }));
  } else if (acts.length >= 2) {
    facts.push(fillFrame(frames.can, { list: list(acts.map(({ text }) => lowerFirst(text, language))) }));
  }
  if (people.length > 0) facts.push(fillFrame(frames.for, { list: list(people) }));
  return facts;
}

function nameLine({ name, language }: Material, category: string | null, developer: string | null): string {
  const isOwn = chooseLanguage(language) === language;
  const frames = getFrames(isOwn ? language : 'en').details;
  const kind = (category ?? '')
    .toLowerCase()
    .replace(/_/g, ' ')
    .replace(/^game .*/, 'game');
  const maker = developer ? fillFrame(frames.maker, { developer: developer.replace(/\.$/, '') }) : '';
  const values = { name: name.short, maker, category: kind };
  if (/^games?$/.test(kind)) return fillFrame(frames.game, values);
  // Store categories are English words, so no other sentence contains them.
  return fillFrame(kind && frames === getFrames('en').details ? frames.appFor : frames.app, values);
}
