import { createRecall } from '@hookline/shared/kernel';
import { judgeEnglish } from './english.ts';
import { readMax, splitSentences } from './line-text.ts';

type AppText = { name: string; language: string };

const nouns =
  '(?:app|application|tool|scanner|reader|manager|game|tracker|editor|player|software|maker|keyboard|cleaner|recorder)';
const verbs =
  '(?:contain|help|allow|provide|support|give|offer|include|show|have|need|want|make|turn|work|keep|run|protect|detect|convert|boost|translate|enable|create|save|scan|play|record|send|remind|track|calculate|display|require|remove)';

/** English, and at the end German, translated word for word. */
const broken = new RegExp(
  [
    `(?<!(?:lets?|makes?|helps?|watch|see|have|do|does|did|can|will|would|should|must|may|could|to) )(?:(?:this|the) (?:\\p{L}+ ){0,2}(?:app|application|game|tool)|it|which|users?) ${verbs}(?<!(?:users|the .*(?:let|make|watch|see)) .*)`,
    `(?:app|application|it|which|this) is ${verbs}|users? can|also can (?!be)|as (?:your|per your) (?:choice|wish|need)`,
    '(?:in|just|with|within|for|after|only) few \\p{L}+|(?:large|huge|wide) (?:number|variety|range) of(?<!(?:a|an|the|its|our) .*)',
    '(?:all|many|various|different|several) (?:type|kind|sort) of|(?:your|my) all \\p{L}+',
    '^support(?:ing)? (?:all|many|multiple|\\d)|^work with(?:out)? (?:internet|network|wi-?fi|headphone|bluetooth)|no \\p{L}+ need|^can (?:use|be|also|play|save|work)|(?:and|,) \\p{L}+ include$|listen (?:\\p{L}+ )?(?:stor(?:y|ies)|music|sounds?|songs?|audio\\p{L}*|podcasts?|radio)',
    '(?:easy|simple) (?:(?:in|for) us(?:e|ing)|to us(?:ing|ed))|(?<!(?:log|sign|check|tune|hand|plug) )in to an?',
    '(?-i:in (?:english|hindi|french|spanish|german|arabic|urdu|italian|chinese|japanese|russian))',
    `(?:is|are) (?:best|free(?! software)|perfect|simple|powerful|useful|great|complete|smart|easy|most \\p{L}+|\\p{L}{3,}est) (?:(?!for|to|in|on|with|of|and|as|at|from|by|when)\\p{L}+ ){0,4}${nouns}`,
    '(?:which|that) is \\p{L}+ly \\p{L}+ing|more (?:easi|bett|fast|loud|bigg|smart|quick|clear|strong|bright|safe|cheap|simpl|smooth|sharp)er|want (?:talk|learn|know|play|make|see|get|have|use|find|create)|forget (?:leave|rate|share|give)|for (?:download|(?:beginner|student|teacher|kid|child|player|user|professional|parent)(?=$|[.,]| and| or))|by (?:install|download|use)',
    'no need (?!to|for|of|any ?more)\\p{L}+|not need to|(?:an?|the) most (?!honest|modest|earnest)\\p{L}+est|can be (?:adjust|use|change|share|save|convert|select|control|find|fall)|(?:is|are)(?: you)? (?:worry|depend|help you)|in \\d+ (?:second|minute|hour|day)(?=$|[.,!])|many colou?r|anyone want|who need (?:this|the)|please keep update|to your friends?$',
    '(?:before|after) to \\p{L}+|brings? to you|(?:you|we|they) are (?:look|want|like|need|have)|becomes? best|every has|(?:has|have) own|(?:is|are) (?:your|my|the) \\p{L}+ (?:become|get|have)|by (?:just )?one (?:tap|click|touch)|(?<=, )that (?:works|helps|allows|lets)|(?-i:(?<=\\p{Ll} )APP(?! \\p{Lu}))',
    'lo?osing (?:quality|data)',
    '(?:wenn|dass|falls|weil|die|was) (?:sie|du) (?:(?:haben|hast|brauchen|brauchst) (?:ein|irgend)\\p{L}*|(?:wollen|willst|können|kannst|möchten|möchtest) (?!wollen|müssen|sollen|können)\\p{L}+en)|(?-i:(?:mit|von|bei|zu) (?:nur )?(?:ein|Ihr) \\p{Lu}\\p{L}+)',
  ]
    .map(one => `(?<!\\p{L})(?:${one})(?!\\p{L})`)
    .join('|'),
  'iu',
);

/** "Bareggg", "10days", "quick,easy", "ready.Scan" */
const mistyped =
  /(\p{Ll})\1\1(?!\p{L})|\d(?!fach|kcal|[km]bps)\p{Ll}{4}|\p{Ll}[,;!?]\p{L}{2}|\p{Ll}{3}\.\p{Lu}\p{Ll}/u;
const countOf = (text: string, mark: RegExp) => text.split(mark).length - 1;
const hasOddQuotes = (text: string) => countOf(text, /[„“”"«»]/u) % 2 === 1;

export const hasMistake = (text: string, read: AppText) =>
  broken.test(text) ||
  mistyped.test(text) ||
  // 'a 12" oven'
  (hasOddQuotes(text) && hasOddQuotes(text.replace(/(?<=\d)"/gu, ''))) ||
  countOf(text, /[([]/u) !== countOf(text, /[)\]]/u) ||
  judge(text, read) !== null;

/** Who broke one sentence broke others that no pattern knows. */
export const countBroken = (text: string, read: AppText) =>
  text
    .split('\n')
    .flatMap(splitSentences)
    .filter(one => broken.test(one) || judge(one, read) === 'broken').length;

// A sentence is judged when the broken ones are counted, and again as a line and as a cover.
const recallJudgement = createRecall<ReturnType<typeof judgeEnglish>>(300);

function judge(text: string, { name, language }: AppText) {
  // The tagger takes the square of the length.
  if (language !== 'en' || text.length > readMax) return null;
  const sentence = text.replaceAll(name || 'It', 'It');
  return recallJudgement(sentence, () => judgeEnglish(sentence));
}
