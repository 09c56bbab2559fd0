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
 * The field of a topic, or null. The last word of its head decides: "hairstyles for weddings" is about hair,
 * "home office lighting" about lighting, and what follows a preposition counts only for fields that say so
 * (people, medicine). A condition that the field does not know ("travelling with medication") leaves the
 * topic without one. The listing has no part in it.
 */
export function findField(topic: Topic, lines: Lines): Field | null {
  if (topic.title === null) return null;
  const text = inSentence(topic.title);
  const head = headOf(text);
  const fields = compileFields(lines).filter(({ forms }) => forms.includes(topic.form));
  const condition = conditioned.exec(text);
  const stated = condition?.slice(1).find(Boolean);
  const found = fields.flatMap(field => {
    const matches = [...text.matchAll(field.all)];
    const match = isPhrase(topic.form)
      ? (matches.findLast(({ index }) => index < head.length) ?? matches[0])
      : matches[0];
    if (!match || (condition && !field.match.test(stated!) && !isAround(match, condition))) return [];
    if (field.isGeneral || (field.isAnywhere && match.index >= head.length)) return [{ field, match }];
    return isAboutHead(matches, text, head, topic.form) ? [{ field, match }] : [];
  });
  const specific = found.filter(({ field }) => !field.isGeneral);
  const ofHead = specific.filter(({ match }) => match.index < head.length);
  const chosen = [...ofHead, ...specific, ...found][0];
  if (!chosen) return null;
  const { name, hooks, lines: texts } = chosen.field;
  return { name, hooks, lines: texts, slots: { ...slotsOf(topic), ...readGroups(chosen.match) } };
}

/** A condition: "with medication", "that are safe for birds", "gluten-free". */
const conditioned =
  / (?:with|without|despite|under|ohne|trotz|mit|sin|con) ((?:(?! (?:for|in|on|at|für|im|para|en) ).)+)| (?:that|which|who) (\S+ \S.*)|(?<!\p{L})(\p{L}+-free)(?!\p{L})/iu;
const isPhrase = (form: Topic['form']) => form === 'noun' || form === 'choice' || form === 'problem';
const isAround = (match: RegExpExecArray, part: RegExpExecArray) =>
  match.index <= part.index && match.index + match[0].length >= part.index + part[0].length;
/** Words at the end of a phrase that say nothing about what it is about. */
const light =
  /(?: (?:ideas|tips|tricks|hacks|guides?|basics|essentials|rules|advice|plan(?:s|ning)?|day|help|checklists?|season|time|problems?|options|questions|style|care|skills|tools|planen|organisieren|vermeiden|ideen|tipps|ideas|consejos|trucos))+$/iu;

/**
 * True where a field knows the verb of a how-to ("clean old records") or the last word of its object or of a
 * noun phrase ("red wine stains", "road trip snacks"): a word on the way there is about something else.
 */
function isAboutHead(
  matches: readonly RegExpExecArray[],
  text: string,
  head: string,
  form: Topic['form'],
): boolean {
  const ofHead = form === 'howTo' ? matches : matches.filter(({ index }) => index < head.length);
  if (!isPhrase(form) && form !== 'howTo') return ofHead.length > 0;
  const [start = ''] = form === 'howTo' ? (/^(?:how to|wie man|cómo) /iu.exec(text) ?? []) : [];
  const end = (form === 'howTo' ? start + objectOf(text.slice(start.length)) : head).replace(
    light,
    '',
  ).length;
  // A Spanish adjective comes after its noun.
  const isNounFirst = form !== 'howTo' && /^(?:el |la |los |las )?\S+ \S+[oa]s$/iu.test(head);
  return ofHead.some(({ index, 0: found }) => {
    const isVerb = form === 'howTo' && index <= start.length;
    // A compound or an inflected ending may follow: "Gartenarbeit", "cómo cocinar legumbres".
    return (
      isVerb ||
      (isNounFirst && index <= 4) ||
      (index < end && !/\s/.test(text.slice(index + found.length, end)))
    );
  });
}

/**
 * "red wine stains" of "remove red wine stains from a shirt", "a blood test" of "prepare for a blood test".
 */
function objectOf(act: string): string {
  const [first = '', ...rest] = act.split(/ (?=(?:for|to|of|from|with|in|on|at|about|para|de|en|con) )/i);
  const isVerbAlone = !first.includes(' ') || /^(?:get|be|become|stay) \S+$/i.test(first);
  return isVerbAlone && rest.length > 0 ? [first, rest[0]].join(' ') : first;
}

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
