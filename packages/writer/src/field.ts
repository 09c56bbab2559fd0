import type { Filled, Lines, Slots } from './lines.ts';
import { headOf, inSentence, type Topic } from './topic.ts';

/** What a topic is about ("gifts", "sleep"), with sentences that hold for every topic of the field. */
export type Field = { name: string; hooks: readonly string[]; lines: readonly string[]; slots: Slots };

type Compiled = Omit<Field, 'slots'> & {
  match: RegExp;
  all: RegExp;
  forms: readonly Topic['form'][];
  /** Says what is done and not with what: "how to choose", so that a field of things goes first. */
  isGeneral: boolean;
  /** Its words count behind a preposition, too: "waiting with toddlers" is about toddlers. */
  isAnywhere: boolean;
};

const compiled = new WeakMap<Lines, Compiled[]>();
/** A question or a comparison asks for an answer and not for advice on the things it names. */
const advised: readonly Topic['form'][] = ['howTo', 'choice', 'problem', 'noun', 'audience'];

/**
 * The field of a topic, or null. Its head decides: "hairstyles for weddings" is about hair, "home office
 * lighting" about lighting, and what follows a preposition counts only for fields that say so (people,
 * medicine). A condition that the field does not know ("travelling with medication") leaves the topic without
 * one. The listing has no part in it.
 */
export function findField(topic: Topic, lines: Lines): Field | null {
  if (topic.title === null) return null;
  const text = inSentence(topic.title);
  const head = headOf(text);
  const fields = compileFields(lines).filter(({ forms }) => forms.includes(topic.form));
  const [, condition] = conditioned.exec(text) ?? [];
  const found = fields.flatMap(field => {
    // The last match: in "home office lighting" a field that knows both knows what the phrase is about.
    const match = isPhrase(topic.form)
      ? ([...text.matchAll(field.all)].findLast(({ index }) => index < head.length) ?? field.match.exec(text))
      : field.match.exec(text);
    if (!match || (condition !== undefined && !field.match.test(condition) && !isWhole(match, text)))
      return [];
    const isInHead = match.index < head.length;
    return isInHead || field.isAnywhere || field.isGeneral ? [{ field, match, isInHead }] : [];
  });
  const specific = found.filter(({ field }) => !field.isGeneral);
  const ofHead = specific.filter(({ isInHead }) => isInHead);
  const elsewhere = specific.filter(({ field, isInHead }) => field.isAnywhere && !isInHead);
  // The last word of a noun phrase is what it is about; a how-to begins with what is done.
  const byEnd = isPhrase(topic.form)
    ? ofHead.toSorted((one, other) => endOf(other.match, head) - endOf(one.match, head))
    : ofHead;
  const chosen = [...byEnd, ...elsewhere, ...found][0];
  if (!chosen) return null;
  const { name, hooks, lines: texts } = chosen.field;
  return { name, hooks, lines: texts, slots: { ...slotsOf(topic), ...readGroups(chosen.match) } };
}

const conditioned =
  / (?:with|without|despite|under|ohne|trotz|mit|sin|con) ((?:(?! (?:for|in|on|at|für|im|para|en) ).)+)/iu;
const isPhrase = (form: Topic['form']) => form === 'noun' || form === 'choice' || form === 'problem';
const isWhole = (match: RegExpExecArray, text: string) => match.index + match[0].length >= text.length;
const endOf = ({ index, 0: found }: RegExpExecArray, head: string) =>
  Math.min(index + found.length, head.length);

function slotsOf({ form, slots }: Topic): Slots {
  // The `about` of these is a clause ("how to sleep better"), which a sentence written for a noun cannot
  // hold.
  const about = form === 'howTo' || form === 'audience' ? undefined : slots.about;
  return { ...slots, about };
}

function readGroups({ groups = {} }: RegExpExecArray): Slots {
  const filled = Object.entries(groups).filter(([, text]) => text !== undefined);
  return Object.fromEntries(filled.map(([slot, text]) => [slot, inSentence(text)]));
}

function compileFields(lines: Lines): Compiled[] {
  let fields = compiled.get(lines);
  if (!fields) {
    fields = Object.entries(lines.fields).map(([name, field]) => {
      const { match, forms = advised, isGeneral = false, isAnywhere = false, ...texts } = field;
      return {
        name,
        forms,
        isGeneral,
        isAnywhere,
        match: new RegExp(match, 'iu'),
        all: new RegExp(match, 'giu'),
        ...texts,
      };
    });
    compiled.set(lines, fields);
  }
  return fields;
}

/**
 * Verbs that a sentence can begin with after "To clean old records, …"; other first words may be a noun's.
 */
const imperatives: Readonly<Record<string, RegExp>> = {
  en: /^(?:add|agree|answer|apply|ask|begin|book|bring|brush|build|call|change|charge|check|choose|clean|compare|cook|count|cut|decide|delete|draw|dress|drop|eat|feed|fill|film|find|finish|fix|follow|get|give|go|hang|have|hold|keep|know|lay|learn|leave|let|listen|look|make|mark|match|measure|mix|move|name|note|open|order|pack|photograph|pick|plan|plant|practise|prepare|press|pull|put|raise|read|record|repeat|reward|rinse|say|seal|send|set|share|show|sleep|soak|sort|stand|start|stay|stop|take|talk|tell|test|tie|try|turn|use|walk|warm|wash|watch|wear|weigh|work|wrap|write) (?!for it|nothing|first\b)/iu,
  es: /^(?:anota|apaga|apunta|busca|calcula|cambia|cocina|come|compara|comprueba|congela|cuenta|decide|deja|di|elige|empieza|escribe|escucha|graba|guarda|haz|lava|lee|mide|mira|pide|piensa|pon|practica|pregunta|premia|prepara|prueba|quita|revisa|saca|separa|toma|ve) /iu,
};

/**
 * The sentences of a field; the first of them that can, names the topic: "To clean old records, work from the
 * edge to the middle." Who opens the deck on its second slide knows what it is about.
 */
export function nameTopic(
  lines: readonly Filled[],
  topic: Pick<Topic, 'form' | 'slots'>,
  language: string,
): Filled[] {
  const opening = openingFor(topic, language);
  const verbs = imperatives[language];
  const at = lines.findIndex(({ text }) => verbs?.test(text) && text.length <= namedMax);
  if (opening === null || at < 0) return [...lines];
  return lines.map((line, i) => {
    if (i !== at) return line;
    const told = line.text.charAt(0).toLowerCase() + line.text.slice(1);
    return { text: `${opening}, ${told}`, template: `{Title}, ${line.template}` };
  });
}

const namedMax = 110;

function openingFor({ form, slots }: Pick<Topic, 'form' | 'slots'>, language: string): string | null {
  if (form === 'howTo' && slots.act !== undefined) return `${language === 'es' ? 'Para' : 'To'} ${slots.act}`;
  if (language !== 'en' || slots.about === undefined) return null;
  const about = String(slots.about);
  if (form === 'problem') return `With ${about}`;
  // "For gifts for dads" has one "for" too many.
  return form === 'noun' && !/\bfor\b/i.test(about) ? `For ${about}` : null;
}
