import type { Filled, Lines, Slots } from './lines.ts';
import { fillLines } from './lines.ts';
import { headOf, inSentence, type Topic } from './topic.ts';
import { upperFirst } from './upper-first.ts';

/** What a topic is about ("gifts", "sleep"), with sentences that hold for every topic of the field. */
export type Field = { name: string; hooks: readonly string[]; lines: readonly string[]; slots: Slots };

type Compiled = Omit<Field, 'slots'> & {
  match: RegExp;
  forms: readonly Topic['form'][];
  /** Says what is done and not with what: "how to choose", so that a field of things goes first. */
  isGeneral: boolean;
};

/** A longer topic heads a slide without what follows its first preposition. */
const labelMax = 34;

const compiled = new WeakMap<Lines, Compiled[]>();
/** A question or a comparison asks for an answer and not for advice on the things it names. */
const advised: readonly Topic['form'][] = ['howTo', 'choice', 'problem', 'noun', 'audience'];

/**
 * The field of a topic, or null. Its head decides before the rest: "hairstyles for weddings" is about hair.
 * The listing has no part in it.
 */
export function findField(topic: Topic, lines: Lines): Field | null {
  if (topic.title === null) return null;
  const text = inSentence(topic.title);
  const fields = compileFields(lines).filter(({ forms }) => forms.includes(topic.form));
  const specific = fields.filter(({ isGeneral }) => !isGeneral);
  const head = headOf(text);
  return search(head, specific, topic) ?? search(text, fields, topic);
}

function search(text: string, fields: readonly Compiled[], topic: Topic): Field | null {
  for (const { name, hooks, lines, match } of fields) {
    const found = match.exec(text);
    if (found) return { name, hooks, lines, slots: { ...slotsOf(topic), ...readGroups(found) } };
  }
  return null;
}

function slotsOf({ form, title, slots }: Topic): Slots {
  const label = slots.label ?? (title!.length > labelMax ? headOf(title!) : title!);
  // The `about` of these is a clause ("how to sleep better"), which a sentence
  // written for a noun cannot hold.
  const about = form === 'howTo' || form === 'audience' ? undefined : slots.about;
  return { ...slots, about, label };
}

function readGroups({ groups = {} }: RegExpExecArray): Slots {
  const filled = Object.entries(groups).filter(([, text]) => text !== undefined);
  return Object.fromEntries(filled.map(([slot, text]) => [slot, inSentence(text)]));
}

/**
 * The sentences of a field. Every other one is headed by the topic where it can be: "Jet lag: get daylight."
 */
export function fillField({ lines, slots }: Field, form: Topic['form'], language: string): Filled[] {
  return fillLines(lines, slots).map((line, i) => {
    const isHeaded = i % 2 === 0 && advised.includes(form) && isPlain(line.template);
    if (!isHeaded) return line;
    // German writes a whole sentence after a colon with a capital letter.
    const told = language === 'de' ? line.text : line.text.charAt(0).toLowerCase() + line.text.slice(1);
    return { text: `${upperFirst(String(slots.label))}: ${told}`, template: `{Label}: ${line.template}` };
  });
}

/** A sentence that has no colon, no quotation and no slot at its beginning. */
const isPlain = (template: string) => /^\p{Lu}[^:{"„«¿?]*(?:[.!]|$)/u.test(template);

function compileFields(lines: Lines): Compiled[] {
  let fields = compiled.get(lines);
  if (!fields) {
    fields = Object.entries(lines.fields).map(([name, field]) => {
      const { match, forms = advised, isGeneral = false, ...texts } = field;
      return { name, forms, isGeneral, match: new RegExp(match, 'iu'), ...texts };
    });
    compiled.set(lines, fields);
  }
  return fields;
}
