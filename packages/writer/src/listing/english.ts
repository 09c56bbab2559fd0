import { createRequire } from 'node:module';
import type winkNLP from 'wink-nlp';
import type { ItemToken } from 'wink-nlp';

/**
 * Mistakes as sequences of words. An element lists words, tags (`/NP`: a noun in the singular or the plural) or words
 * with their tag (`can/X`); `*` and `?` repeat it. `^` begins a clause, `$` ends a phrase, and a sentence begins with
 * "asks", "tells" or, without a capital, "goes-on". Tags:
 * B verb in its base form, S in -s, G in -ing, V in the past, E the same in both, X auxiliary,
 * N noun in the singular, P in the plural, U not counted, Z name, D article or possessive, O pronoun, Q that, which, who,
 * M number above one, J adjective, R adverb, Y adverb in -ly, I preposition, C and K conjunction, T to, "." punctuation.
 */
const broken = compile([
  // "It charge them", "the app help you", "the customer don't", "users gets", "your datas is"
  '^ it|he|she|which /BE|have /DOTM',
  '^ this|that|the|each|every|a|our|your /J* /N /N? /B|have /DOTM',
  "^ this|that|the|a|our|your /N do n't|not",
  "^ it|he|she|this do n't|not",
  '^ you|we|they /S|has|does|is/X|was/X',
  '^ i /S|has|does|is/X|are/X',
  '^ /D /D? /J* /P is/X|was/X|has/X|does/X',
  'this|each|every|an /J* /N are/X|have/X',
  'people|users|players|parents|kids|children|students|those who /S|is|has|does|was',
  'everyone|everybody|anyone|someone who /B|have|are|do',
  // "You can to add", "will can", "can seeing", "can choice the", "don't needs", "is help you", "allow to see"
  'can/X|could/X|will/X|would/X|should/X|must/X /RY* /ST|can/X|will/X|is/X|are/X|has/X|able',
  'can/X|could/X|must/X /RY* /G',
  'you|we|they|users can/X choice|selection|advice|login|setup|backup /D',
  "do|does|did n't|not|you|we|they|it /SV",
  'is|are|am /RY* /B /DO',
  'allow|allows|enable|enables|permit|permits to /B',
  // "14 brand of strips", "many feature", "a tools", "every days", "one of the best app", "any many"
  '! /M|many|several|multiple|various|both|these|those /J* /N $',
  'a|an /P $',
  'each|every|another /P $',
  'one of the|our|its|your|these /JRN* /N $',
  'any many|much',
  'many food|water|money|information|data|music|sleep|sugar|stuff|luggage',
  '! /M hour|minute|second|day|week|month|year /I',
  'for /M times',
  'with|from|for|to|in|of|by|than|like other /N $',
  // "LoftMate is application for"
  'is|was application|app|tool|program|game for|which|that|with|to',
  // "yours pets", "thinks your a genius", "its fine", "it's interface is", "you're habits"
  'yours|theirs|hers /NP',
  'your/D|my/D|our/D|their/D|the/D|an/D a|an|the|your|my|our|their',
  "it 's /N is|has",
  "you 're /P",
  // "For to use", "for made the", "for calculate your", "without lose the"
  'for to',
  'afraid|able|ready|easy|hard|simple|possible|want|wants|need|needs to /G',
  'for /BV /D',
  'for take|make|manage|create|count|calculate|scan|compress|learn|find|get|keep|see|improve /NPJ',
  'by|without|of|after|before|about|from|with /B /DO',
  'by|without /B /NP',
  'until|without /B $',
  // "Is possible to", "Automatic calculate how", "Track easily your", "calculates automatic the", "where goes the 21?"
  'tells is|are /J',
  'tells|asks automatic|automatical|easy|manual /BN /DOK|how',
  'tells support|supports|/B /M /N $',
  'tells /N /Y /D',
  '/BS /Y|automatic|easy|quick|simple|perfect /D',
  'asks where|when|how|why /S',
  'asks where|when|how|why /O can/X|will/X|should/X|must/X',
  // "Everything what you need", "depending from", "suggests you the best"
  'everything|all|anything|nothing|something what',
  'that which|what|who',
  'where|when|what|how will be',
  'with|of|from|for there /NP',
  'no need of',
  'everyday morning|night|evening|afternoon',
  'people|users|owners|players|parents which',
  'is|are|be /V automatic|manual $',
  'for do|does',
  'depend|depends|depending|consist|consists from',
  'suggest|suggests|explain|explains|describe|recommend|recommends you|me|us /D',
  'informations|datas|softwares|feedbacks|advices|equipments|furnitures|homeworks|knowledges',
  'choosed|buyed|teached|catched|breaked|writed|maked|taked',
]);

function compile(sequences: readonly string[]): RegExp[] {
  return sequences.map(one => new RegExp(`(?<!\\S)${one.split(' ').map(patternOf).join('')}`, 'u'));
}

function patternOf(element: string): string {
  if (element === '^') return '(?<=/[.CK] )';
  if (element === '$') return '(?=$|\\S+/[.ICKX] )';
  // "Top 10 list", "a 12 step plan"
  if (element === '!') return '(?<!/[NZPJUX-] |(?<!\\S)(?:an?|the)/D )';
  const [, list = '', times = ''] = /^(.*?)([*?]?)$/u.exec(element)!;
  const one = list.split('|').map(each => {
    if (each.startsWith('/')) return `\\S+/[${each.slice(1)}]`;
    return each.includes('/') ? each : `${each}/\\S`;
  });
  return `(?:(?:${one.join('|')}) )${times}`;
}

/** "So you know your not giving it away", "and i can", "in the box. everybody", "Did they eat." */
const written =
  /(?:^|[.!?] )(?:(?:Did|Does|Do|Is|Are|Was|Were|Has|Have|Can|Will) (?:you|he|she|they|there)|(?:Did|Does|Is|Was|Has) it) [^.!?]*(?:[.!]|$)|(?<!\p{L})(?:(?:more|less|better|rather|faster) then|your (?:not|gone|going|welcome)|(?:never|not|to) loose (?:an?|the|your|my))(?!\p{L})|(?<= )(?:u|ur|bc|em|i)(?= [a-z])|(?<!\p{L})a (?!and|are|also|after|into|over|only|one|once|eu|uni|use|usu)[aeiou]\p{Ll}{2}|(?<!\p{L})an (?!hour|honest|heir|honou?r)[bcdfghjklmnpqrstvwyz]\p{Ll}{2}|(?<!approx|incl|excl|max|min|esp)(?<=\p{L}{3})(?:[.!]|(?<!\([^)]*)\?) \p{Ll}(?!\p{Lu})/u;
const slips = compile(['its /J $', 'its a|the|not|so|too']);

type Tagger = ReturnType<typeof winkNLP>;

/** It takes 70 MB, and a listing is read once. */
const keptMs = 10_000;
let kept: Tagger | undefined;
let dropTimer: NodeJS.Timeout | undefined;

function useTagger(): Tagger {
  kept ??= openTagger();
  dropTimer ??= setTimeout(() => {
    kept = undefined;
    dropTimer = undefined;
  }, keptMs).unref();
  dropTimer.refresh();
  return kept;
}

/** Takes 0.15 s. */
function openTagger(): Tagger {
  const load = createRequire(import.meta.url);
  const open = load('wink-nlp') as typeof winkNLP;
  const opened = open(load('wink-eng-lite-web-model'), ['sbd', 'pos']);
  // What the cache keeps is never collected.
  for (const path of Object.keys(load.cache)) if (/[\\/]wink-/.test(path)) delete load.cache[path];
  return opened;
}

/**
 * What a native reader would notice in an English sentence: who broke one broke others that no sequence knows; a slip says
 * nothing of the rest. It knows few mistakes and is seldom wrong.
 */
export function judgeEnglish(sentence: string): 'broken' | 'slip' | null {
  const tagged = tagWords(sentence);
  if (broken.some(sequence => sequence.test(tagged))) return 'broken';
  return written.test(sentence) || slips.some(sequence => sequence.test(tagged)) ? 'slip' : null;
}

/** "tells/. the/D app/N helps/S you/O ./. " */
function tagWords(sentence: string): string {
  const tagger = useTagger();
  const { its } = tagger;
  // The library declares more parameters than it passes.
  const lemma = its.lemma as unknown as typeof its.normal;
  let tagged = '';
  tagger
    .readDoc(sentence.replaceAll('’', "'").replace(/^\p{Lu}(?=\p{Ll})/u, first => first.toLowerCase()))
    .tokens()
    .each((token: ItemToken) => {
      const value = token.out();
      const word = value === 'A' && tagged !== '' ? value : value.toLowerCase().replaceAll('/', '.');
      tagged += `${word}/${tagOf(word, token.out(its.pos), token.out(lemma))} `;
    });
  const start = /^\P{L}*\p{Ll}/u.test(sentence) ? 'goes-on' : /\?\W*$/u.test(sentence) ? 'asks' : 'tells';
  return `${start}/. ${tagged}`;
}

const sameInPast =
  /^(?:set|put|cut|read|hit|let|cost|split|shut|spread|beat|bet|hurt|quit|run|come|fit|open|close)$/;
const uncounted =
  /^(?:people|children|men|women|feet|teeth|sheep|fish|series|data|media|info|information|music|content|money|help|news|english|software|equipment|hardware|stuff|food|work|feedback|advice|homework|knowledge|furniture|family|team|crew|group|world|time|morning|afternoon|evening|night|noon|am|pm|a\.m|p\.m|star|euro|yen|[a-z]{1,2}|min|sec|bpm|day|week|month|year|hour|minute|second|today|inch|foot|dozen|left|pound|stone|ounce|ppl|thumbs|missus|gas|mph|kmh|percent|lens|plus|bus|gps|sms|ios|class|sports|canvas|bonus|headquarters)\.?$/;
const asIs =
  /^(?:exactly|only|really|directly|nearly|actually|likely|simply|precisely|fully|early|daily|family)$/;

function tagOf(word: string, pos: string, lemma: string): string {
  if (/^(?:that|which|who|whose|what)$/.test(word)) return 'Q';
  if (/^(?:your|my|our|their|his|her|its)$/.test(word)) return 'D';
  if (pos === 'VERB') {
    if (sameInPast.test(word)) return 'E';
    if (/ing$/.test(word) && lemma !== word) return 'G';
    if (/[^e]ed$/.test(word)) return 'V';
    if (lemma === word) return 'B';
    return /[^s]s$/.test(word) ? 'S' : 'V';
  }
  if (pos === 'NOUN') {
    if (uncounted.test(word)) return 'U';
    return /[^siu]s$/.test(word) || (lemma !== word && /s$/.test(word)) ? 'P' : 'N';
  }
  if (pos === 'NUM') return /^(?:1|one|zero|.*[.,/]\d*|0)$/.test(word) ? 'J' : 'M';
  if (pos === 'ADV') return /ly$/.test(word) && !asIs.test(word) ? 'Y' : 'R';
  if (/^[-–/+&]$/.test(word) || word === '') return '-';
  if (pos === 'PART') return word === 'to' ? 'T' : 'R';
  return tags[pos] ?? 'A';
}

const tags: Record<string, string> = {
  AUX: 'X',
  PROPN: 'Z',
  DET: 'D',
  PRON: 'O',
  ADJ: 'J',
  ADP: 'I',
  CCONJ: 'C',
  SCONJ: 'K',
  PUNCT: '.',
  SYM: 'Z',
};
