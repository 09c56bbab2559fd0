import { type Field, findField } from './field.ts';
import { type Kind, readKind } from './kind.ts';
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
  const kind = readKind(material, language, isNameless);
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
      lines,
    };
  }
  const aud = readPeople(material, language)[0];
  return {
    form: 'kind',
    title: null,
    slots: { ...kind, about: kind.a_kind, aud },
    field: null,
    kind,
    lines,
  };
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
