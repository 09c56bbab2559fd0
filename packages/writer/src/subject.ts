import { contentWordsOf } from './distinct.ts';
import { type Field, findField } from './field.ts';
import { findOwnKind, type Kind, readKind } from './kind.ts';
import { getLines, type Lines, type Slots } from './lines.ts';
import type { Material } from './listing/material.ts';
import { people, readTopic, type Topic } from './topic.ts';

/** What a deck is about: a topic, or the app itself (`kind`), and the slots of its sentences. */
export type Subject = {
  form: Topic['form'] | 'kind';
  title: string | null;
  slots: Slots;
  /** What a topic is about, if one of the language's fields finds it. */
  field: Field | null;
  kind: Kind;
  /** The listing says what the app is; otherwise `kind` comes from its store category. */
  isKindTold: boolean;
  /**
   * A topic that no field finds and that the listing has words of: its own lines say more than advice in
   * general.
   */
  isNearApp: boolean;
  lines: Lines;
};

export type SubjectRequest = {
  material: Material;
  language: string;
  /** The brief's topic, or a given hook that is not one of the composer's own. */
  topic: string | undefined;
  /** No slide may name the app. */
  isNameless: boolean;
};

/** A topic decides; without one, or with one that cannot be written about, the deck is about the app. */
export function readSubject({ material, language, topic, isNameless }: SubjectRequest): Subject {
  const lines = getLines(language);
  const ownKind = findOwnKind(material, language, isNameless);
  const kind = readKind(material, language, isNameless, ownKind);
  const isKindTold = ownKind !== null;
  const told = topic === undefined ? null : readTopic(topic, language);
  if (told) {
    const about = told.slots.about ?? lines.statement;
    const field = findField(told, lines);
    return {
      form: told.form,
      title: told.title,
      slots: { ...told.slots, ...field?.slots, about },
      field,
      kind,
      isKindTold,
      isNearApp: field === null && isNear(told, material, language),
      lines,
    };
  }
  const aud = readPeople(material, language)[0];
  return {
    form: 'kind',
    title: null,
    slots: { ...kind, about: kind.a_kind, aud, pitch: namelessPitch(material, language) },
    field: null,
    kind,
    isKindTold,
    isNearApp: false,
    lines,
  };
}

/** The listing's opening line for a cover, where the app has no name yet. */
function namelessPitch({ pitch, name, language: written }: Material, language: string): string | undefined {
  if (pitch === null || written !== language) return undefined;
  return pitch.toLowerCase().includes(name.short.toLowerCase()) ? undefined : pitch;
}

const advised: readonly Topic['form'][] = ['howTo', 'noun', 'choice', 'problem'];
/** A listing with fewer lines could not fill a deck. */
const nearLinesMin = 4;

/**
 * True for a topic about the app's own job: one word of it is in the app's name, subtitle or opening line, or
 * two are anywhere in the listing.
 */
function isNear(topic: Topic, material: Material, language: string): boolean {
  const { features, sentences, name, pitch } = material;
  if (material.language !== language || features.length < nearLinesMin) return false;
  if (topic.title === null || !advised.includes(topic.form)) return false;
  const words = [...contentWordsOf(topic.title)].filter(word => word.length >= 4);
  const has = (text: string) => {
    const known = [...contentWordsOf(text)];
    // "Lebensmittel" is what "Lebensmittelverschwendung" is about.
    return words.filter(word =>
      known.some(
        one =>
          one === word ||
          (one.length >= 6 && word.startsWith(one)) ||
          (word.length >= 6 && one.startsWith(word)),
      ),
    ).length;
  };
  const strong = has([name.tagline ?? '', name.short, pitch ?? ''].join(' '));
  const all = has(
    [name.tagline ?? '', name.short, ...sentences, ...features.map(({ text }) => text)].join(' '),
  );
  return strong >= 1 || all >= 2;
}

/** The listing's audiences that can be asked and addressed: "studio potters", but not "museums". */
export function readPeople({ audiences, language: written }: Material, language: string): string[] {
  if (written !== language) return [];
  if (language === 'en')
    return audiences.filter(
      group =>
        people.test(group.replace(/ (?:who|with|in|on|of) .*$/, '')) && !/\b(?:my|our|your)\b/i.test(group),
    );
  return audiences.filter(group => !group.startsWith('quien'));
}
