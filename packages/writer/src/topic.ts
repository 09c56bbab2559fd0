import type { topicForms } from './data-files.ts';
import type { Slots } from './lines.ts';
import { hasBannedPhrase } from './text-filters.ts';
import { upperFirst } from './upper-first.ts';

/**
 * A topic by its grammatical form. `title` is the topic as a heading, null when it is too long to be one;
 * `slots` are its parts in the forms that sentences need.
 */
export type Topic = { form: (typeof topicForms)[number]; title: string | null; slots: Slots };

const titleMax = 60;
const longTitleMax = 120;

/** Reads a topic, or null when there is nothing in it to write about. */
export function readTopic(text: string, language: string): Topic | null {
  const clean = text
    .replace(/\s+/g, ' ')
    .replace(/^[\s"“„«¿¡]+|[\s"”“».:;,!¡]+$/gu, '')
    .trim();
  const bare = clean.replace(/\?+$/, '').trim();
  const letters = bare.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 3 || /[{}]/.test(bare) || hasBannedPhrase(bare)) return null;
  if (bare.length > titleMax) return readLong(bare);
  const isQuestion = bare !== clean;
  if (language === 'de') return readGerman(bare, isQuestion);
  return language === 'es' ? readSpanish(bare, isQuestion) : readEnglish(bare, isQuestion);
}

/** Too long for a cover and to repeat: it is named once and called "this" afterwards. */
function readLong(text: string): Topic | null {
  const cut =
    text.length <= longTitleMax ? text : `${text.slice(0, longTitleMax - 2).replace(/\s+\S*$/, '')} …`;
  if (cut.length > longTitleMax || !cut.replace(/ …$/, '').includes(' ')) return null;
  return { form: 'statement', title: null, slots: { told: upperFirst(cut) } };
}

const topicOf = (form: Topic['form'], title: string, slots: Slots): Topic => {
  // A cover adds a colon of its own.
  const heading = upperFirst(title).replace(/: /g, ', ');
  return { form, title: heading, slots: { title: heading, ...slots } };
};

const auxiliary =
  "(?:is|are|was|were|do|does|did|can|could|should|will|would|shall|has|have|am|isn't|aren't|don't|doesn't)";
const englishQuestion = new RegExp(
  `^(?:(?:why|what|when|where|who|how(?: \\p{L}+)?|which \\p{L}+) )?${auxiliary}\\s|^(?:when|where) to\\s`,
  'iu',
);
/** Verbs that open a topic in the imperative and are rarely nouns. */
const verbs =
  /^(?:get|make|find|learn|save|stop|start|choose|pay|build|keep|become|avoid|grow|improve|write|read|pick|prepare|organi[sz]e|reduce|lose|survive|fix|teach|eat|sleep|manage|beat|create|earn|enjoy|handle|deal|clean up|set up|declutter|remove|remember|bring|ask|buy|sell|move|quit|meet|wake|fall|stay|go|take|give|use|try|be|do|turn|tell|talk|live|spend) (?=\p{L})/iu;
const gerund =
  /^(?!(?:morning|evening|spring|wedding|king|string|thing|something|nothing|ceiling|building)\b)\p{L}{2,}ing\b/iu;
/** Nouns for people who can be asked and addressed. */
export const people =
  /\b(?:people|women|men|mums|moms|dads|fathers|mothers|parents|grandparents|students|pupils|nurses|teachers|beginners|freelancers|families|couples|runners|travell?ers|seniors|teens|teenagers|kids|children|toddlers|renters|owners|gardeners|cooks|workers|designers|developers|musicians|guitarists|photographers|patients|learners|players|readers|writers|commuters|managers|founders|makers|hikers|cyclists|drivers|newcomers|introverts|singers|dancers|adults|friends|colleagues|teams|flatmates|roommates|newlyweds|volunteers|hosts|leaders|owners|lovers|starters|landlords|tenants|employees|employers|neighbours|neighbors|brides|grooms|athletes|climbers|swimmers|bakers|knitters|crafters|collectors|retirees|pensioners|expats|immigrants|vegans|vegetarians)$/iu;
const choices =
  /\b(?:gifts?|presents?|names?|ideas?|books?|games?|activities|decorations?|recipes?|outfits?|options|tools?|places|trips?|plants?|vegetables|flowers|songs?|films?|movies|tunings?|podcasts?|restaurants?|hobbies|snacks|dinners?|lunches|costumes?|cakes?|colou?rs|courses|shoes|toys|museums|beaches|breeds|apps|widgets)$/iu;
const problems =
  /\b(?:stains?|lag|anxiety|stress|pain|mistakes?|noise|clutter|insomnia|debts?|burnout|procrastination|mess|guilt|fears?|nerves|stage fright|injuries|burns?|pests|slugs|mould|mold|conflicts?|arguments|homesickness|writer's block|hiccups|blisters|cramps|meltdowns|tantrums|delays|scams|headaches?|allergies|fatigue)$/iu;
const mass =
  /\b(?:sleep|money|health|music|coffee|tea|water|food|work|homework|weather|prep|skincare|travel|hair|yoga|parenting|gear|equipment|advice|laundry|furniture|software|time|fun|focus|energy|fitness|nutrition|photography|etiquette|small talk|training|life|love|grief|rain|light|art|english|french|spanish|german|math|maths|bread|wine|beer|tax|insurance|care|storage|progress|help|room)$/iu;

function readEnglish(text: string, isQuestion: boolean): Topic {
  const asked = text.replace(
    /^(?:an? |some |the )?(?:post|video|slideshow|carousel|story)s? (?:about|on) /i,
    '',
  );
  const listed =
    /^(?:the |my |top )?(?:\d+ )?(?:[\p{L}-]+ )?(?:ways|steps|tips|tricks|hacks|rules) to (.+)$/iu.exec(
      asked,
    );
  const how = /^how (?:to|do you|do i|do we|can you|can i|you can|should you|should i) (.+)$/i.exec(asked);
  const act = listed?.[1] ?? how?.[1] ?? (verbs.test(asked) ? asked : null);
  if (act) return topicOf('howTo', `How to ${inSentence(act)}`, actSlots(act));
  if (isQuestion || englishQuestion.test(asked)) {
    const form = /^why\b/i.test(asked) ? 'why' : 'question';
    return topicOf(form, asked.replace(/\bmy\b/gi, 'your'), { about: 'this question' });
  }
  if (/^(?:i|we|you|he|she|they|it|our|my|this|that|there|let's|nobody|everyone|please)\b/i.test(asked)) {
    return { form: 'statement', title: null, slots: { told: upperFirst(asked) } };
  }
  const sides = / (?:vs\.?|versus|or) /i.test(asked) ? asked.split(/ (?:vs\.?|versus|or) /i) : [];
  if (sides.length === 2 && sides.every(side => side.split(' ').length <= 4)) {
    const [a, b] = [inSentence(sides[0]!), sides[1]!];
    return topicOf('comparison', `${a} or ${b}`, { a, b, about: `${a} or ${b}` });
  }
  return readNoun(asked);
}

function actSlots(act: string): Slots {
  const told = inSentence(act)
    .replace(/\bmy\b/gi, 'your')
    .replace(/\bmyself\b/gi, 'yourself');
  return { act: told, about: `how to ${told}`, label: `to ${told}` };
}

/** "5 signs of burnout" is about burnout. */
const countedThings =
  /^(?:the |top )?\d+ (?:[\p{L}-]+ )?(?:rules?|things?|ways?|reasons?|tips?|ideas|lessons?|signs?|points?|steps?|facts?) (?:for|on|about|of) (?=\p{L})/iu;

function readNoun(text: string): Topic {
  const plain = text
    .replace(countedThings, '')
    .replace(/^(?:the |top )?\d+ (?=\p{L})/iu, '')
    .replace(/^(?:tips|tricks|hacks|advice|help) (?:for|on|about) /i, '');
  const named = plain.replace(/^for /i, '');
  if (people.test(named) && !/ (?:for|with|in|of|on|to|without) /i.test(named)) {
    const aud = inSentence(named);
    return topicOf('audience', `For ${aud}`, { aud, about: `advice for ${aud}` });
  }
  const [first = ''] = plain.split(': ');
  const head = first.split(
    / (?:for|in|on|at|with|without|of|from|by|after|before|during|that|which|who|when|to|under) /i,
  )[0]!;
  const aud = / for ((?:[\p{L}-]+ ){0,2}[\p{L}-]+)$/iu.exec(first)?.[1];
  const form = choices.test(head) ? 'choice' : problems.test(head) ? 'problem' : 'noun';
  return topicOf(form, plain, {
    about: form === 'problem' ? inSentence(first) : asObject(first, head),
    aud: aud && people.test(aud) ? inSentence(aud) : undefined,
  });
}

/** The phrase after a preposition; a singular with more than one word gets "the". */
function asObject(phrase: string, head: string): string {
  const told = inSentence(phrase);
  const isBare =
    !head.includes(' ') ||
    /[^su]s$/i.test(head) ||
    /^(?:the|an?|your|my|our|their|his|her|its|no|one|two|three|what|when|where|why|how|who|which|whether|every|each|some|any|all|more|less|better)\b/i.test(
      phrase,
    ) ||
    gerund.test(phrase) ||
    /(?:ing|ness|ity|tion)$/i.test(head) ||
    mass.test(head) ||
    /^\p{Lu}\S* \p{Lu}/u.test(phrase) ||
    people.test(head);
  return isBare ? told : `the ${told}`;
}

const tails =
  / (?:for|in|on|at|with|without|of|from|by|after|before|during|while|that|which|who|when|under|für|bei|im|mit|ohne|auf|von|zum|zur|nach|vor|unter|am|trotz|gegen|para|con|en|sin|por|antes|después) /i;

/** What a topic is about before its first preposition: "hairstyles" of "hairstyles for weddings". */
export function headOf(text: string): string {
  return text.split(tails)[0]!;
}

/** Lower-cases the first letter, except of acronyms, names inside a phrase and "I". */
export function inSentence(text: string): string {
  const [first = '', second = ''] = text.split(' ');
  const isName =
    /^\p{Lu}/u.test(second) ||
    /^(?:Christmas|Easter|Halloween|English|French|German|Spanish|Italian|Japanese|Japan|Europe|Ramadan|I)\b/.test(
      first,
    );
  return isName || !/^\p{Lu}\p{Ll}/u.test(first) || /\p{Ll}\p{Lu}/u.test(first)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1);
}

function readGerman(text: string, isQuestion: boolean): Topic {
  const title = upperFirst(text);
  const isAsked =
    /^(?:ist|sind|soll|sollte|sollen|kann|darf|muss|warum|wieso|weshalb|welche[rsn]?|was|wann|wo|wer|lohnt|hat|haben)\b/i.test(
      text,
    );
  if (isQuestion || isAsked) return topicOf('question', title, { about: 'diese Frage' });
  const sides = text.split(/ (?:oder|vs\.?|gegen) /);
  if (sides.length === 2 && sides.every(side => side.split(' ').length <= 3)) {
    return topicOf('comparison', sides.join(' oder '), {
      a: sides[0],
      b: sides[1],
      about: `„${sides.join(' oder ')}“`,
    });
  }
  const plain = upperFirst(
    text.replace(/^\d+ (?=\p{L})/u, '').replace(/^Tipps (?:für|zu|zum|zur|gegen) /i, ''),
  );
  if (/^wie (?:man|du|ich|wir) /i.test(plain)) {
    return topicOf('howTo', plain, { clause: `w${plain.slice(1)}`, about: 'diese Frage' });
  }
  return topicOf('noun', plain, { about: `„${plain}“` });
}

function readSpanish(text: string, isQuestion: boolean): Topic {
  const title = upperFirst(text);
  const how = /^cómo (\p{L}+(?:ar|er|ir|arse|erse|irse)(?:\s.+)?)$/iu.exec(text);
  if (how && !isQuestion)
    return topicOf('howTo', title, {
      act: how[1]!.toLowerCase().replace(/\bmi\b/g, 'tu'),
      label: `para ${how[1]!.toLowerCase().replace(/\bmi\b/g, 'tu')}`,
      about: `«${title}»`,
    });
  const isAsked =
    /^(?:por qué|qué|cuándo|dónde|quién|cuál|cuánto|es|son|debería|puedo|se puede|vale la pena)(?:\s|$)/iu.test(
      text,
    );
  if (isQuestion || isAsked) return topicOf('question', title, { about: 'esta pregunta' });
  const sides = text.split(/ (?:o|vs\.?|contra) /);
  if (sides.length === 2 && sides.every(side => side.split(' ').length <= 3)) {
    const [a, b] = sides.map(side => side.charAt(0).toLowerCase() + side.slice(1)) as [string, string];
    return topicOf('comparison', `${a} o ${b}`, { a, b, about: `«${upperFirst(a)} o ${b}»` });
  }
  const plain = upperFirst(
    text.replace(/^\d+ (?=\p{L})/u, '').replace(/^(?:consejos|trucos|ideas) (?:para|sobre|de) /iu, ''),
  );
  return topicOf('noun', plain, { about: `«${plain}»` });
}
