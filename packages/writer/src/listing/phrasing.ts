import { hasClaim, isLegal } from '../text-filters.ts';
import { abbreviated, denseOf, lengthOf, splitSentences } from './line-text.ts';
import { hasMistake } from './mistakes.ts';
import type { Line } from './sections.ts';

export type Reading = {
  name: string;
  language: string;
  isFormal?: boolean;
  /** Words of a line of a list, where sentences of the listing are broken. */
  itemMax?: number | undefined;
  /** Acronyms of the listing: what its sentences have in capitals alone. */
  acronyms?: readonly string[];
};

export const namesApp = (text: string, { name }: Reading) =>
  [name, name.toUpperCase()].some(one =>
    new RegExp(`(?<!\\p{L})${RegExp.escape(one)}(?!\\p{L})`, 'u').test(text),
  );

export const wordsOf = (text: string) => text.split(/\s+/u).length + Math.floor(denseOf(text) / 4);

const shortMax = 36;
export const isShortOf = (text: string | undefined) => !!text && lengthOf(text) < shortMax;

export const isSkipped = ({ section, text }: Line) =>
  section === 'legal' || section === 'praise' || isPraise(text);
export const isUsable = (text: string, read: Reading) =>
  !hasClaim(text) && !isLegal(text) && !isKeywords(text) && !hasMistake(text, read) && !hasNote.test(text);

/** "Deposit checks with your camera¹": the note below restricts it. */
const hasNote = /(?:\p{L}{3}|[®™.,!?)%])(?:[¹²³⁴-⁹]|[*†‡](?![\p{L}*]))|^[¹²³⁴-⁹†‡]/u;

/** "Cleaner 💥 Finder 💥 Remover", "Ages 2-5 | Ages 6-8 | Ages 9-12", "pdf scanner, document scanner, ID scanner" */
const isKeywords = (text: string) =>
  / \| | ([•√✓✔]) .* \1 /u.test(text) ||
  isWordList(text.replace(/\([^()]*\)/gu, '').split(/\s*[,、;•·]\s*/u)) ||
  /(?<!\p{L})(?!without|quando|cuando|chaque)(\p{L}{6,})(?!\p{L})(?:.*(?<!\p{L})\1(?!\p{L})){2}/iu.test(
    text,
  ) ||
  (text.match(/(?<=\S\s*)\p{Extended_Pictographic}(?=\ufe0f?\s*\S)/gu)?.length ?? 0) > 1;

const isWordList = (parts: readonly string[]) =>
  parts.length >= 6 && parts.filter(part => wordsOf(part) > 3).length <= (parts.length > 6 ? 1 : 0);

/** A quotation with nothing behind it but a name. */
function isPraise(text: string): boolean {
  const [, rest] = /^["“„«「][^"”“»」]{3,}["”“»」]\s*(.*)$/u.exec(text) ?? [];
  return (
    rest !== undefined &&
    /^(?:$|[–—~-]|\(|\d+\/\d+|[.,]?\s?\p{Lu}[\p{L}\d, ’'-]{0,30}$)/u.test(rest) &&
    !/[?？]\s?["”“»」]$/u.test(text)
  );
}

/** Prose has sentences; a line without one is an item of a list without marks. */
export const endsOpen = ({ text, label }: Line) => label !== null || /[.!?。！？…][)"”“»」』]?$/u.test(text);

/** A sentence that begins with one of these needs the one before it. */
const leaning: Words = {
  en: "by \\p{L}+(?=,)|(?:when|if|while|once|until) (?:you \\p{L}+ )?(?:it|them|they|those|these|so|not)|\\p{L}+ (?:it|them|one)(?= and|;)|it|its|they|their|that|since then|this(?! app)|these|those|he|she|and|but|or|so|then|also|plus|yes|no,|not(?! (?:only|just|another|a) )(?=[^.]* but )|because|which(?![^.!]*\\?)|such|\\p{L}+ both(?=[.!])|(?:\\p{L}+ ){2,6}too(?=,)|both(?= (?:are|of|can|have|work))|there|perhaps|maybe|instead(?! of)|otherwise|neither|nor|(?:first|second|third|finally)(?=,)|(?:the|all|everything) (?:rest|same|others?|else)|the (?:first|second|third|last)(?= (?:one|is|tells|shows|says))|(?:each|every|any|no|that|this|another|not(?: \\p{L}+)?) one|(?:each|every|none|some|many|most|all|one|half|both)(?: of)? (?:it|them|these|those|is|are|has|have|takes?|comes?|gets?|lasts?|can|will|plays?|costs?)|(?:after|before|by|with|without|for|from|of|like|until|since|because of) (?:it|that|them|then|those|these|both)(?! \\p{L}+ing)|(?:usually|sometimes|mostly|often|now|here|today),? (?:it|they|he|she|there)|others?|(?:even|better|worse) (?:then|better|still)|for example|however|(?:[^\\s,;:.!?]+ ){1,3}(?:when|if|because) (?:you|they|it) (?:do|does|did|are|is|have|has)(?:n['’]t)?(?=[.!]?$)",
  // "Das große Heft", "Es gibt"
  de: '(?-i:Ge\\p{Ll}+te[nrsm]?) (?:mit|von|für|in|aus|nach|per)|nach \\p{L}+(?=,)|wenn (?:sie|er|es|nicht|ja|nein)|nicht(?! (?:nur|mehr|vergessen))|er|sie|es(?! (?:gibt|geht|ist|war)\\b)|das(?! (?:\\p{L}+e )?(?-i:\\p{Lu}))|diese[rs]?(?! app)|dies|seitdem|seither|darunter|denn|doch|so|und|aber|oder|auch|sondern|weil|ja,|nein|dort|außerdem|zudem|sonst|erstens|zweitens|drittens|zuerst(?=,)|jede[rs]? (?:davon|einzelne|ist|hat|dauert|kommt|bringt)|beide|andere|manche|einige|keine[rs]? (?:davon|ist|hat)|d(?:er|ie|as|en|em) (?:rest|erste|zweite|andere|übrige)n?(?= \\p{Ll})|nur (?:so|dann)|jetzt (?:weiß|ist|sind|hat)|genau (?:das|so)|mehr (?:nicht|braucht)|solche|allerdings|jedoch',
  es: '(?:por|según) \\p{L}+(?=,)|y|e|pero|sino|o|así|por eso|desde entonces|no (?:para|porque)|est[ae](?! (?:noche|semana|año|mes|app|aplicación))|esto|estos|estas|ese|esa|eso|no (?:era|estaba|fue|tenía)(?=[.!])|además|también|tampoco|luego|entonces|sí|lo(?! (?:que|mejor|más|primero|importante|único|nuevo))|los?(?= \\p{L}+(?:as|es|an|en)(?!\\p{L}))|ningun[oa](?! \\p{L}+ (?:más|sin))|cada un[oa]|ambos|ambas|algun[oa]s|otr[oa]s|l[oa]s? (?:otr[oa]s?|primer[oa]|segund[oa]|demás)|el (?:otro|resto|primero|segundo)|porque|(?:primero|segundo|en (?:primer|segundo) lugar)(?=,)|(?:(?:adapt|clasific|orden|explic|valid|actualiz|organiz)ad[oa]s|disponibles|compatibles)',
  fr: "par \\p{L}+(?=,)|(?:adapt|valid|class|tri|organis|expliqu|illustr)ée?s|(?:conform|disponibl|compatibl|accessibl)es|prête?s|et|mais|ou|car|(?:non )?pas pour|aucune?(?= n['’e])|vous (?:y )?trouverez aussi|si c['’]est|c['’]est|c['’]\\p{L}+|ce(?! qu)|ces|cette(?! (?:nuit|semaine|année|app\\p{L}*))|il(?! (?:faut|suffit|pleut|y a))|elle|ils|elles|puis|depuis,|depuis lors|aussi|oui|non|là|sinon|parce qu\\p{L}*|chacune?(?! \\p{L}+ses)|certaine?s|d['’]autres|les (?:autres|deux)|l['’]autre|le (?:reste|premier|second|deuxième)(?= \\p{Ll})|pas (?:encore|toujours)|d['’]abord|premièrement|deuxièmement|enfin(?=,)|demain,",
  pt: '(?:(?:adapt|classific|organiz|explic|valid|atualiz)ad[oa]s|disponíveis|compatíveis)|por \\p{L}+(?=,)|e|mas|ou|por isso|desde então|não (?:para|porque)|não (?:era|estava|foi|tinha)(?=[.!])|isto|est[ae](?! (?:noite|semana|ano|mês|app))|esse|essa|ele|ela|eles|elas|assim|também|sim|porque|nenhum[a]?(?! \\p{L}+ (?:mais|sem))|cada um[a]?|ambos|ambas|algun?s|algumas|outr[oa]s|[oa]s? (?:outr[oa]s?|resto|primeir[oa]|segund[oa]|restante)|\\p{L}+-(?:[oa]s?|lhes?|l[oa]s?|n[oa]s?)|(?:primeiro|segundo)(?=,)',
  it: 'adatt[ei]|ordinat[ei]|spiegat[ei]|pront[ei]|(?:disponibil|compatibil|conform)i|e|ma|o|non (?:per|perché)|per questo|quest[oaie](?! (?:sera|notte|settimana|app))|così|anche|inoltre|perché|quindi|sì|ne|lei|lui|loro|quello|quella|ognun[oa]|ciascun[oa]|nessun[oa](?= (?:è|ha|dei|delle))|alcun[ie]|altr[ie]|l[aeo]? ?(?:altr[oaie]|prim[oa]|second[oa])(?= \\p{L}+)|il (?:resto|primo|secondo)(?= \\p{L}+)|gli altri|ed',
  nl: 'het (?:is|zijn)|hij|zij|ze|dat|dit|die|deze|en|maar|of|want|dus|zo|ook|daar|toch|anders|ja,|nee|omdat|ieder(?:e)? (?:ervan|is)|sommige|andere|de (?:rest|andere|eerste|tweede)',
  pl: 'to|ten|ta|te|i|a|ale|albo|lub|bo|on|ona|ono|oni|one|jego|jej|ich|też|także|tak,|nie,',
  tr: 'bu|bunu|bunun|bunlar|o|onu|onun|onlar|ve|ama|fakat|veya|sonra|ardından|böylece|ayrıca|aynı(?:sı)?|çünkü|hayır|evet',
  sv: 'det(?! (?:finne?s|går))|den|dem|de|han|h[ou]n|dett[ae]|dessa|disse|o(?:ch|g)|men|eller|så|därför|derfor',
  ja: 'それ|これ|その|そこ|この(?!アプリ)|また|そして|しかし|さらに|だから|でも|すると|あと|ただし|はい|いいえ',
};

/** So does one that has one of these in its first four words. */
const early: Words = {
  de: 'damit|dabei|dafür|dazu|danach|dadurch|davon|daraus|darin|darauf|deshalb|darum|daher|deswegen|stattdessen|trotzdem|dann(?!,? wenn)|anschließend|hinterher|ebenfalls|(?:das|der|die)selbe|das gleiche|genauso(?! \\p{L}+ wie)',
  en: 'afterwards?|therefore|thus|hence|(?:the )?same(?= (?:goes|for|applies|is))',
  es: 'es[eao]s?|ello|él|ell[oa]s?|lo mismo|lo(?! (?:que|más|mejor|de|necesario|justo|bueno))|ahí|allí|entonces|después(?! de)',
  fr: "elles?|ils|il(?! (?:faut|suffit|pleut|y|fait|neige|vous))|(?:les?|la|en|y) \\p{L}{2,}ez|l['’]\\p{L}{2,}ez|cela|ceci|ça|celui-ci|celle-ci|alors|donc|ensuite|ainsi(?! que)|pareil",
  pt: 'el[ea]s?|ess[ea]s?|isso|disso|nisso|daí|aí|ali|então|o mesmo|depois(?! d[eoa])',
  it: 'l[iue]i|loro|que(?:l(?:l[aoei])?|i|gli)(?! che)|lo(?= (?!s[^aeiou]|z|gn|ps|x|y)\\p{L})|ciò|poi|lo stesso|lì|allora|dopo(?! (?:il|la|lo|le|i|gli|un\\p{L}?|aver|ogni|ess)|l)',
  nl: 'hij|hem|daarna|daarom|daarmee|daarvoor|hetzelfde|ervan|ermee|erna|dan(?! \\p{L}+ ooit)',
  sv: 'dem|därför|derfor|sedan|siden|derefter|då|da',
  pl: 'dlatego|potem|wtedy|następnie|to samo|tam',
};

/** "Du legst fest, wie groß er sein darf": a German noun has a capital. */
const isNounless =
  /^\p{L}\p{Ll}*(?:,? \p{Ll}+){0,4} (?:er|ihn|ihm|sie)(?!\p{L})|(?<!\p{L})(?:wieder|noch) (?:eins|keins|welche)(?!\p{L})/u;

export const refersBack = (text: string, read: Reading) =>
  beginsWith(leaning, text, read) ||
  (read.language === 'de' && isNounless.test(text)) ||
  // A French noun adds an article or a "d'un" before its verb: "Au bout d'un an il raconte".
  beginsWith(early, text, read, `(?:[^\\s,:;.!?]+ ){0,${read.language === 'fr' ? 4 : 3}}`);

/** What follows the app's name in a sentence that needs the one before it: "Escrow Lane puts them in order". */
const pointing: Words = {
  en: '\\p{L}+ (?:them|it|those)|is that|(?:also|then|even) ',
  de: 'ist anders|\\p{L}+ (?:sie|ihn|es|daraus|damit|dabei|dann|danach|auch)',
  es: 'las?|los?|les?|también',
  fr: "les?|la|l['’]\\p{L}+|\\p{L}+ (?:aussi|ensuite)",
  pt: 'as|os|também',
};

/** A pronoun without what it is for; a line of a list has that in its heading: "Share it with your family". */
const pronouns: Words = {
  en: '(?:[^\\s,;:.!?]+ ){1,3}(?:it|them|they|those|he|she|him|(?:this|that)(?=,))',
  es: '\\p{L}*[áéíóú]\\p{L}{1,5}(?<!u)l[oa]s?|(?:\\p{L}+ )?\\p{L}{3,}[aei]rl[oa]s?',
  fr: "(?:vous|tu|on) (?:pou|dev|v)\\p{L}+ (?:les?|la|l['’]|en|y) ?\\p{L}+",
  pt: '(?:\\p{L}+ )?\\p{L}+-l[oa]s?',
  it: '(?:\\p{L}+ )?\\p{L}{3,}[aei]r(?:l[oaei]|gli)',
};

/** "It works on a watch, too." */
const tail =
  /^[^.!?]*(?<!\p{L})(?:too|just as \p{L}+|as well|either|instead|afterwards|that way|the same|auch nicht|ebenfalls|también|tampoco|non plus|também|também não|neanche|ook|in the same (?:boat|position|situation)|dans le même cas|en la misma situación|na mesma situação|in derselben Lage|that day|ce jour[- ]là|aquel día|quel giorno|naquele dia|an diesem Tag)[.!]?$/iu;

/**
 * "No. It asks you", "You can also share a plot", "Chapitre Trois fait le contraire", "L'application répartit le reste",
 * "Fogline vous aide à faire la différence", and what is quotations alone.
 */
const turning =
  /^(?:yes|no|ja|nein|nee|oui|non|s[iíì]|sim|não)[.,!]|^(?:(?:you|it|du|er|sie|es|man|vous|on|il|elle|você|ele|x) )?(?:\p{L}+ )?(?:also|auch|aussi|también|também|anche|ook)(?!\p{L})|^(?:[^\s,;:.!?]+ ){0,4}(?:the (?:opposite|reverse|rest)|das gegenteil|umgekehrt|de[nm] rest|l['’]inverse|(?:l[eo]|el|il|al|ao?|o) (?:contr(?:air|ari|ári)[eo]|rest[eo]))(?!\p{L})|(?<!\p{L})use this\W?$|(?<!\p{L})(?:do|does|did) (?:this|that)(?! (?:\p{L}+ing|app\p{L}*)(?!\p{L}))(?!\p{L})|^(?:when|if|once|after|before) [^.!?]* it \p{L}+s(?!\p{L})|(?<!\p{L})(?:tell|fa(?:ire|ites)|hacer|fazer|notar) (?:the|la|a) diff?[eé]ren\p{L}+(?! (?:between|entre))|^(?:["“„«][^"“”»]+["“”»]\s?)+$/iu;

/** "Was bringt sie?", "Can I scan it?"; "Does it work offline?" asks about the app. */
const asked: Words = {
  en: '(?:[^\\s?]+ ){1,3}(?:they|them|he|she|him|(?<=(?:i|you|we) \\p{L}+ )it)',
  de: '(?:[^\\s?]+ ){1,3}(?-i:sie|er|ihn|ihm)',
  fr: '(?:(?:à )?\\p{L}+ )?(?!(?:faut|fait|est)-il|y a)\\p{L}+-(?:t-)?(?:elles?|ils?)',
};

export const asksBack = (text: string, read: Reading) =>
  /[?？]/u.test(text) && beginsWith(asked, text, read, '¿?');

export const leans = (text: string, read: Reading) =>
  refersBack(text, read) ||
  turning.test(text) ||
  (!/[?？]/u.test(text) && beginsWith(pronouns, text.replaceAll(read.name, 'X'), read)) ||
  tail.test(text) ||
  beginsWith(pointing, text.replace(`${read.name} `, 'X ').replace(theAppFirst, 'X '), read, 'X ');

/** The first half of a contrast: what the app, written X, does not do, or what others do. */
const halves: Words = {
  en: "(?:x|it|the app|this app|we)(?:['’]s not| (?:is|does|has|will|can)(?: not|n['’]t)| won['’]t| can(?:no|['’])t| never)(?! (?:need|require|matter|ask|cost|share|sell))|not(?! only| a single)|(?:most|other) \\p{L}+",
  de: '(?:x|die app|sie|es|er|das) (?:\\p{L}+ ){1,3}(?:nicht|kein\\p{L}*|niemals)(?<! (?:brauch|benötig)\\p{L}* .*)|nicht|(?:die meisten|andere)',
  es: '(?:(?:la |el |esta )?(?:x|app|aplicación) (?:no|nunca)|no (?:es|son|está|(?!ha[cy]|necesit|requ|import|basta|pasa|exist|pierda|olvide|deje)(?:(?:te|le|les|se|os) )?\\p{L}+[aeó]n?))|(?:la mayoría|casi tod[oa]s)|(?:las )?otras',
  fr: "(?:(?:l['’]|cette )?(?:x|app\\p{L}*)|elle|il|ce) (?:ne|n['’]\\p{L}+)(?! (?:\\p{L}+ que|demand|nécessit|exig|a besoin|stock))|pas une?|les autres|la plupart|d['’]autres",
  pt: '(?:(?:[oa] )?(?:x|app|aplicativo)|el[ea]) (?:não|nunca)(?! (?:precis|requer|exig))|não (?:é|são|está|dá|faz|(?!perc|esque|deix|import|precis|basta|exist|fi[qc])\\p{L}+(?:[ae]|ui))|a maioria|(?:os |as )?outr[oa]s',
  it: "(?:(?:l['’]|la |il )?(?:x|app) non|non (?:è|sono|dà|(?!\\p{L}+re(?!\\p{L})|serv|basta|manca|import|occorr|esist|richied|chied|c['’])(?:[tv]i )?\\p{L}+[ae]))|la maggior parte|(?:le )?altre",
  nl: '(?:x|de app|hij|het|ze) (?:\\p{L}+ ){1,3}(?:niet|geen|nooit)|niet|de meeste|andere',
};
const turns =
  /(?<!\p{L})(?:but|instead|until|unless|only|sondern|aber|nur|bis|sino|pero|s[oó]lo|hasta|mais|seulement|ma|bensì|mas|apenas|maar)(?!\p{L})|[;–—:]/iu;

/** True where every sentence is the first half of a contrast: alone it would be said as if it were what the app does. */
export const isHalf = (text: string, read: Reading) =>
  splitSentences(text.replace(read.name, 'X')).every(
    sentence => !turns.test(sentence) && beginsWith(halves, sentence, read),
  );

/** How a maker greets its readers, and what only it says, anywhere in a sentence. */
const own: Words = {
  en: '^(?:welcome|made (?:with|by)|hi|hello|hey|dear|namaste)|(?-i:I|(?<!^Tell (?=us (?!.*(?:think|want|app))))us)|me(?<!near me)|my|we|our',
  de: '^(?:willkommen|hallo|liebe \\p{L}+|eue?re?|herzlich\\p{L}*|mit \\p{L}+ grüßen)|ich|mir|mich|mein(?:e[nmrs]?)?|wir|uns|unser\\p{L}*',
  es: '^(?:bienvenid\\p{L}|hola|querid[oa]s?|disfrút\\p{L}+)|yo|me|mis?|nos|nuestr\\p{L}+|nosotr[oa]s|soy|hice|llevo|(?!caf|carn|beb|pur|comit|chal|jos|porqu|est)\\p{L}{3,}é|(?!gramos|\\p{L}?ramos|kilo|extre|raci|\\p{L}*[áéíóú])\\p{L}+[aei]mos|\\p{L}+[áéí](?:ba|ra|a)mos',
  fr: "^(?:bienvenue|bonjour|ch(?:er|ère)s?)|je|j['’]\\p{L}+|m['’]\\p{L}+|moi|mon|ma|mes|nous|notre|nos",
  pt: '^(?:bem-vind\\p{L}|olá|oi|car[oa]s)|eu|me|meus?|minhas?|nós|nos(?= \\p{L}+(?:amos|mos|ram))|noss\\p{L}+|sou|fiz|tive|(?!\\p{L}*[áéíóúâêô])\\p{L}{2,}ei|(?!gramos|\\p{L}?ramos|extre|\\p{L}*[áéíóúâêô])\\p{L}+[aei]mos|\\p{L}+-n?[oa]s?-?mos|\\p{L}+emo-\\p{L}+',
  it: '^(?:benvenut\\p{L}|ciao|car[aei])|io|mi[oae]|miei|noi|nostr\\p{L}|ho|(?!richiamo)\\p{L}+iamo',
  nl: '^(?:welkom|hallo|(?:beste|lieve) \\p{L}+,|veel (?:plezier|succes))|ik|mijn|wij|we|ons|onze',
  pl: '\\p{L}+(?:łem|łam|liśmy|łyśmy)|mój|moj\\p{L}+|nasz\\p{L}*|jeste(?:m|śmy)',
  tr: 'ben|benim|biz|bizim|yaptım|yazdım|geliştirdi[mk]',
  ja: '[^。]*(?:私|僕|弊社|当社|作りました|開発しました|開発者)',
};

/** What the maker says of itself or to its customers; in a question, "I" is the reader, and the app's name is no word. */
export const isMakersOwn = (text: string, read: Reading) =>
  splitSentences(text.replaceAll(read.name, 'X').replace(/["“«„][^"”»“]*["”»“]/gu, '')).some(
    sentence => !/[?？]/u.test(sentence) && beginsWith(own, sentence, read, anywhere),
  );

/** Words for the reader. What is said of others mostly goes on with the sentence before it. */
const readers: Words = {
  en: 'you|yours?|yourself',
  de: 'du|dich|dir|dein\\p{L}*|(?-i:Sie|Ihnen|Ihr)\\p{L}*|ihr|euch|euer|eure\\p{L}*',
  es: 'tú|tus?|te|ti|usted|vosotros|\\p{L}{3,}(?:as|es)(?= (?:un|el|la|los|las|en|con|a|tu|lo) )',
  fr: 'vous|vos|votre|tu|ton|ta|tes|te|\\p{L}{3,}ez',
  pt: 'você|seus?|suas?|teus?|tuas?|te',
  it: 'tu|ti|tuoi|tu[oae]|vi|vostr\\p{L}',
  nl: 'je|jij|jouw|jou|uw?',
};
/** "You can scale a recipe" */
export const beginsWithReader = (text: string, read: Reading) => beginsWith(readers, text, read);
export const addresses = (text: string, read: Reading) =>
  namesApp(text, read) || readers[read.language] === undefined || beginsWith(readers, text, read, anywhere);

const theApp =
  /(?<!\p{L})(?:the|this|d(?:ie|er|as|e|eze)|l['’]|la|cette|est[ae]|o|quest['’]) ?(?:app(?:li(?:cation|cazione)?)?|aplicaci[oó]n|aplicativo)(?!\p{L})/iu;
/** True for a sentence about the app, by its name or as "the app". */
export const isOfApp = (text: string, read: Reading) => namesApp(text, read) || theApp.test(text);

const theAppFirst = new RegExp(`^${theApp.source} `, 'iu');

type Words = Record<string, string>;
const anywhere = '(?:.*(?<![\\p{L}\'’"“«-]))?';
const compiled = new Map<string, RegExp>();

function beginsWith(words: Words, text: string, { language, isFormal }: Reading, before = ''): boolean {
  const listed = words[/^(?:da|no)$/.test(language) ? 'sv' : language];
  // "Sie tippen" is the reader, "Sie weiß" is the app.
  if (listed === undefined || (isFormal && words !== readers && /^Sie (?:sind|\p{L}*n)(?!\p{L})/u.test(text)))
    return false;
  const end = language === 'ja' ? '' : '(?!\\p{L})';
  const source = `^${before}(?:${listed})${end}`;
  const pattern = compiled.get(source) ?? new RegExp(source, 'iu');
  compiled.set(source, pattern);
  return pattern.test(text);
}

const capitalOf = (letter: string) => letter.toUpperCase();

/** Not in capitals, with a capital, and without a full stop where it is one sentence. */
export function finish(text: string, read: Reading): string {
  const { name, language } = read;
  const spoken = lowerShouting(capitalise(text, name), read)
    .replace(language === 'el' ? /(?!)/u : /\s?;$/u, '')
    .replace(/\s,(?=\p{L})/gu, ', ')
    .replace(/\?{2,}/gu, '?')
    // "con un ? gris" names the mark.
    .replace(language === 'fr' ? /\s+(?=[.,](?:\s|$))/gu : /\s+(?=[.,:](?:\s|$)|[!?](?:\s+\P{Ll}|$))/gu, '');
  // A German label would lose the capitals of its nouns.
  const lowered =
    language === 'de' ? spoken : spoken.replace(shoutedLabel, label => lowerCapitals(label, read));
  const isOne = splitSentences(lowered).length === 1;
  if (!isOne)
    return lowered.replace(/(?<=[\p{Ll}\p{Nd}])$/u, '.').replace(/(?<=[\p{sc=Han}\p{sc=Hira}])$/u, '。');
  return abbreviated.test(lowered) ? lowered : lowered.replace(/(?<!\.\.|…)[.。]$/u, '');
}

/** "SLEEP DIARY: ", "8 WORLDS – ", "PLANS CHANGE? ", "INSTANT ALERT in your street" */
const shoutedLabel =
  /^(?=\P{Ll}*(?:\p{Lu}{4}|\p{Lu} \p{Lu}{3})|(?:ADD|ASK|BUY|EAT|FIX|GET|LOG|MAP|NEW|PAY|RED|SAY|SEE|SET|TAP|TIP|TRY|USE|WHO|WHY)\b)[¿¡]?[\p{Lu}\d][\p{Lu}\p{M}\d &'’/,.+!?×x-]{2,44}?(?:(?=(?:\s\([^()]{1,30}\))?\s?:\s|\s[–—-]\s)|(?<=[!?])(?=\s\P{L}*\p{Lu}?\p{Ll})|(?<=\p{Lu}{3,} \p{Lu}{3,})(?=\s\p{Ll}))/u;

const unit = /^(?:[cdkm]m|[km]?g|lb|ml|kcal|d?pH|dB)(?!\p{L})/u;
/** "iCloud", units and the app's name begin as their makers write them. */
export const capitalise = (text: string, name: string) =>
  text.startsWith(name) || unit.test(text)
    ? text
    : text.replace(/^[¿¡]?\p{Ll}(?=\p{Ll}|\s)/u, letter => letter.toUpperCase());

/** Words without a vowel or with digits, and some that have one. */
const commonAcronyms =
  /(?<![\p{L}\d'’])(?:(?<!\.|\d )[b-df-hj-np-tv-xz](?!['’.])|[b-df-hj-np-tv-xz]{2,5}|[a-z]{0,2}q(?!u)[a-z]{1,3}|\d+[a-z]|[a-z]{1,3}\d+|abc|adhd|ai|api|bmi|diy|eta|eu|faq|hiit|ia|iban|id|isbn|iva|ki|mei|ocr|ok|uk|usa|usb|uv|vat)(?![\p{L}\d])/giu;

/**
 * Converts a text in capitals to sentence case; acronyms, "I" and the app's name keep their case. German nouns would
 * lose theirs.
 */
export function lowerShouting(text: string, read: Reading): string {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const lower = text.match(/\p{Ll}/gu)?.length ?? 0;
  const isLong = upper >= 20 || (lower === 0 && /\p{Lu} \P{L}*\p{Lu}+ \P{L}*\p{Lu}/u.test(text));
  // "RP, RPDA, RPDA-II", "A 7, A 61"
  const isOfCodes = /\p{Lu} \d.*,.*\p{Lu} \d|(?:^|: )[^\s,]+(?:, [^\s,]+)+$/u.test(text);
  return !isLong || upper < lower * 2 || isOfCodes || read.language === 'de'
    ? text
    : lowerCapitals(text, read);
}

const lowerCapitals = (text: string, { name, language, acronyms = [] }: Reading) =>
  text
    .toLocaleLowerCase(language)
    .replace(
      /(^|(?<![ap]\.m)[.!?]\s+|\n\s*)([¿¡]?\p{Ll})/gu,
      (_, before: string, letter: string) => before + letter.toLocaleUpperCase(language),
    )
    .replace(language === 'en' ? /\bi\b/gu : /(?!)/u, 'I')
    .replace(/(?<=\bi)(?:cloud|pad|phone)\b/gu, word => word.replace(/^./u, capitalOf))
    .replace(commonAcronyms, acronym => (/^kwh$/iu.test(acronym) ? 'kWh' : acronym.toUpperCase()))
    .replace(/[\p{L}/&]+/gu, word => (acronyms.includes(word.toUpperCase()) ? word.toUpperCase() : word))
    .replace(new RegExp(RegExp.escape(name), 'giu'), () => name);
