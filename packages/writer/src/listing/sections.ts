import { findPromisedCount } from '@hookline/deck';
import { abbreviated, type BareLine, bareLine, joinSentences, lengthOf, readMax } from './line-text.ts';

/**
 * What a line of the listing stands under. Nothing is taken from `legal` and `praise`; `legal` lasts until a heading that
 * names another section or has a gap above it and asks nothing. Lines of `open` end their heading, as in "Filter by:" and "What it looks for", which stands
 * before them. A list of what there is not is left out.
 */
export type Section = 'intro' | 'features' | 'audience' | 'steps' | 'open' | 'legal' | 'praise' | 'other';

/** A line of the listing, joined where it was wrapped. `label`: the heading above it, of a list above its first line. */
export type Line = BareLine & {
  section: Section;
  label: string | null;
  isFirst: boolean;
  isAfterGap: boolean;
  /** It is one of a list under a heading of its own, not of what the app does: the first, or a later one. */
  listed: 'first' | 'later' | null;
  /** It may say nothing without the line above its list, which ends in a colon, or the others of a list without marks. */
  isLed: boolean;
};

type Raw = BareLine & {
  look: string | null;
  isHash: boolean;
  isAfterGap: boolean;
  /** It begins in lower case below a colon, alone or with others. */
  isListed: boolean;
  /** Characters of its last line, where it was wrapped. */
  width: number;
};

const headings: [RegExp, Section][] = [
  [
    /about us|our story|who we are|über uns|wer wir sind|sobre nosotros|quiénes somos|sobre nós|quem somos|chi siamo|qui sommes|à propos|over ons|開発者|^(?:why|warum|por qu[eé]|pourquoi|perché|waarom) (?:we|i|wir|ich|nous|je|ik)(?!\p{L})|what['’]?s new|release notes|changelog|^(?:\S+ (?:in|w|в|i|v) |new |neue |nueva |nouvelle |nova )?(?:versi|верси|wersj|verz|update|aktualis|actuali[sz]|atualiz|mise à jour)\p{L}* (?:v\.? ?)?\d|^(?:new|changes) in\b|^(?:recent |latest )?changes$|^neu in|neuigkeiten|novedades|nouveautés|novidades|novità|アップデート|更新情報/iu,
    'praise',
  ],
  [
    /reviews?\b|testimonials?|\bpress\b|\bawards?\b|(?:people|users|customers|they|others) (?:say|think)|as seen|featured|stimmen|bewertungen|presse\b|sagen\b|auszeichnung|opiniones|reseñas|prensa|dicen|premios|\bavis\b|(?:ils|on) en parlent?|disent|avaliações|depoimentos|imprensa|dizem|recensioni|dicono|stampa|レビュー|ユーザーの声|受賞|掲載|follow us|folg\p{L}* uns|síguenos|suivez|siga|seguici/iu,
    'praise',
  ],
  [
    /(?<!\p{L})(?:terms|privacy|pricing|prices?|plus|premium|pro|membership|paid plans?|support|imprint|impressum|abos?|abonnements?|subscriptions?|datenschutz|kontakt|contact|preise?|kosten|legal|precios?|suscripción|privacidad|contacto|soporte|prix|tarifs|confidentialité|conditions|assistance|assinaturas?|privacidade|termos|preços?|contato|suporte|abbonament\p{L}|prezz\p{L}|termini|assistenza|permissions?|berechtigungen|permisos|permissões|autorisations|questions?|fragen|preguntas|dúvidas|domande|disclaimer|hinweise?|(?:please )?note|important|(?:bitte )?beachten|wichtig|à noter|importante?|yasal|urheberrecht|copyright|free|gratis|kostenlos|gratuit|grátis|perguntas|vragen|pytania|cen[ay]|cennik|ile kosztuje|ile to kosztuje|prywatność|ücretli|fiyat\p{L}*|gizlilik|sorular|pris(?:er)?|integritet|frågor|spørgsmål|spørsmål|hinta|tietosuoja|цен[аы]|подписка|вопросы|harga|privasi|giá)(?!\p{L})|^(?:faqs?|installation|tips|english|deutsch|français|español|languages|sprachen|langues|idiomas|lingue|talen|(?:\S+ )?compatib\p{L}*(?: \S+)?|(?:supported|unterstützte|kompatible) \S+|requirements|voraussetzungen|requisitos)$|^planos$|what it costs|kostet$|cuesta$|coûte$|(?:custa|costa)$|料金|価格|お問い合わせ|プライバシー|利用規約|プレミアム|ご注意|注意事項|よくある|질문|요금|가격|구독|문의|会员|小提醒|[溫温]馨提示|訂閱|订阅|价格|隐私|问题/iu,
    'legal',
  ],
  [
    /(?:made|built|suitable|great|perfect|recommended) for|geeignet für|pensad[oa] para|conçue? pour|^who\b|ideal (?:for|für|para|pour|per)|für wen|para quién|pour qui|para quem|per chi|こんな方|おすすめ/iu,
    'audience',
  ],
  [
    /how (?:it|to|does)\b|(?:so|wie) (?:\S+ )?(?:funktioniert|geht|zu benutzen)|(?:how to|cómo|como|come|comment) (?:start|use|play|funciona|empezar|começar|usar|se usa|ça|commencer|utiliser|funziona|iniziare|si usa)|getting started|erste schritte|使い方|in \d steps/iu,
    'steps',
  ],
  [
    /^(?:what|things|why|was|ce qu|lo que|qué|o que).*(?:love|like|lieben|mögen|aimer|adorer|encantará|gustará|amar|adorar)$|what(?: \S+){1,3} (?:do|does|gets?|have|has|offers?)\b|what(?:['’]s| else is) (?:in|inside|included)\b|what you can do|(?:was du (?:alles )?|o que você pode |ce que vous pouvez |qué puedes )(?:tun|machen|fazer|faire|hacer)|features|feature$|functions?$|what makes|^(?:why|warum|pourquoi|por ?qu[eé]|perché|waarom)(?!\p{L})|funktionen|eigenschaften|das (?:kann|bietet|ist|bekomm|erwartet)|was (?:die app |\S+ )?(?:geht|hat|kann|bekomm|bietet)|^(?:inside|included|inhalt|enthalten|drin|contenido|contenu|contenuto|conteúdo|dentro)(?!\p{L})|highlights|vorteile|auf einen blick|qué (?:\S+ )?(?:hace|hay|ofrece|encontrarás)|incluye|funciones|caracter[ií]sticas|fonction|points forts|ce qu(?:e |['’]).*(?:fait|offre|propose|trouve)|o que (?:\S+ )?(?:faz|tem|encontra|oferece)|recursos|fun[cç][oõ]es|funcionalidades|destaques|funzion|caratteristiche|(?:che )?cosa (?:(?:puoi|si può) fare|trov|offre|include)|主な機能|特徴|特長|機能|できること|기능/iu,
    'features',
  ],
];

const openHeading =
  /(?:such as|like|including|wie|tels? que|comme|como|come|quali)\s*:$|^\S+ (?:by|with|for|from|nach|mit|für|von|por|con|para|par|avec|pour|com|per)\s*:$| kan du\s*:?$/iu;
const clause = /^(?:what|which|was|das|qué|lo que|o que|ce qu[ei'’]|cosa)(?!\p{L})/iu;
const ofReader = /(?<!\p{L})(?:you|du|ihr|sie|vous|tu|puedes|puoi|você)(?!\p{L})/iu;
const negative = /(?<!\p{L})(?:not|never|nicht|kein\p{L}*|pas|qu[eé] no|não|non)(?!\p{L})|n['’]t(?!\p{L})/iu;
/** "What you won't get", "Not included" */
const clauseOrPair = new RegExp(`${clause.source}|^\\S+ \\S+$`, 'iu');
/** Words of a heading of what there is not; "It also does the sums that others do not show:" has more. */
const absentMax = 6;
/** Words of a heading that names what is legal; "Bookends asks you three questions when you close the cover" does not. */
const legalMax = 6;
export const sectionOf = (heading: string) =>
  headings.find(
    ([pattern, section]) =>
      pattern.test(heading) && (section !== 'legal' || heading.split(/\s+/u).length <= legalMax),
  )?.[1];
/** "You might also like", "It also keeps" */
const further =
  /(?<!\p{L})(?:also|auch|außerdem|además|también|aussi|également|também|anche|inoltre|ook|också|również|także)(?!\p{L})/iu;
const headingMax = 45;
/** A line of this length was wrapped where the next word had no room on the widest one. */
const wrapMin = 60;
/** A shorter line above one in lower case is another of its list. */
const wrappedMin = 20;
/** Lines of a list that are said together, and characters of them with their heading. */
const itemsMax = 4;
const joinedMax = 100;
/** A long listing has 80 lines. */
const linesMax = 160;
const endsSentence = /[.!?。！？…][)"”“»’」』]?$/u;
const withoutBrackets = (text: string) => text.replace(/\s*\([^)]*\)/u, '');
const isShouted = (text: string) => isInCapitals(withoutBrackets(text));
const isInCapitals = (text: string) =>
  text === text.toUpperCase() && text !== text.toLowerCase() && !/\p{Lo}/u.test(text);
const isQuotation = /^["“„«][^"“”»]+["”“»]$/u;
const isBracketed = (text: string) => /^(?:【[^】]+】|\[[^\]]+\])$/u.test(text);

/** "Snap the receipt. Pick the property.", "Done" */
const isStep = (before: string, text: string) => lengthOf(before + text) <= 70 && !/[?？:：]/u.test(text);

/** The lines of a listing with their sections; headings are none of them, but may be the label of one. */
export function readLines(text: string, name: string): Line[] {
  const raws = readRaw(text);
  const areHeadings = raws.map((_, i) => isHeading(raws, i));
  const lines: Line[] = [];
  let section: Section = 'intro';
  let label: string | null = null;
  let open = '';
  let isUnderHeading = false;
  let isOwn = false;
  let isLed = false;
  for (const [i, raw] of raws.entries()) {
    if (!areHeadings[i]) {
      // Numbered steps end where lines with another mark begin.
      if (section === 'steps' && raw.mark === 'bullet' && raws[i - 1]?.mark === 'step') section = 'other';
      // The list of an open heading follows it at once.
      if (section === 'open' && (raw.mark === null || (raw.isAfterGap && lines.at(-1)?.section === 'open')))
        section = 'other';
      const { text, mark } = raw;
      const before = lines.at(-1);
      // One step says nothing without the others.
      if (mark === 'step' && before?.mark === 'step' && (section === 'steps' || isStep(before.text, text))) {
        const next = text.replace(/^\p{Ll}/u, letter => letter.toUpperCase());
        const end = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(before.text) ? '。' : '.';
        before.text = joinSentences(before.text.replace(/[^\P{P}!?。！？)]?$/u, end), next);
        continue;
      }
      const isAfterGap = raw.isAfterGap || isUnderHeading;
      const above = raws[i - 1];
      if (isAfterGap && !isUnderHeading && (mark === null || above?.mark !== mark)) isLed = false;
      if (above && !areHeadings[i - 1] && /[:：]$/u.test(above.text)) isLed = true;
      const whole = section === 'open' && !/: /u.test(text) ? `${open} ${text}` : text;
      const isListed = mark !== null && section === 'other' && lines.length > 0 && isOwn;
      const listed = isListed ? (label === null ? 'later' : 'first') : null;
      const isOfRun = section !== 'features' && isInRun(raws, areHeadings, i);
      lines.push({
        text: label !== null && mark !== null ? joinItems(raws, areHeadings, i, label) : whole,
        mark,
        section,
        label,
        isFirst: i === 0,
        isAfterGap,
        listed,
        isLed: (isLed || isOfRun) && label === null,
      });
      label = null;
      isUnderHeading = false;
      continue;
    }
    isUnderHeading = true;
    const heading = raw.text
      .replace(/\s*[:：]$/u, '')
      .replace(/^[【[]\s*|\s*[】\]]$|\s*(?:[\p{So}<>*=~]|\ufe0f)+$/gu, '');
    const next = raws[i + 1];
    const isAsking = /[?？]$/u.test(heading);
    const isAbsent =
      negative.test(heading) &&
      withoutBrackets(heading).split(' ').length <= absentMax &&
      (next?.mark || (clauseOrPair.test(heading) && !isAsking));
    const isLegal: boolean = section === 'legal' && (!raw.isAfterGap || isAsking);
    const named: Section | undefined =
      isLegal && isAsking ? undefined : isAbsent ? 'praise' : sectionOf(heading.replace(name, 'X'));
    const colon = /\s*[:：]$/u.exec(raw.text)?.[0] ?? (/^ce qu/iu.test(heading) ? ' :' : ':');
    // "Das Zeckheft" above "erinnert am Tag 3"
    const isSubject =
      !/[:：]$/u.test(raw.text) && heading.includes(name) && /^\p{Ll}/u.test(next?.text ?? '');
    open = isAsking || isSubject ? heading : `${heading}${colon}`;
    // "wann du geweckt wirst" needs "Was du einstellen kannst"; a list of names does not.
    const isOpen =
      openHeading.test(raw.text) ||
      (clause.test(raw.text) && (ofReader.test(raw.text) || /^\p{Ll}/u.test(next?.text ?? '')));
    section = named ?? (isLegal ? 'legal' : isOpen && !further.test(heading) ? 'open' : 'other');
    const isLabel =
      (named === undefined || isAsking !== (named === 'audience')) &&
      !further.test(heading) &&
      !(/[.!?] /u.test(heading) && /[.!?]/u.test(next?.text ?? ''));
    isOwn = named === undefined && !isLegal;
    isLed = isOwn && section !== 'open' && (next?.mark === 'step' || /[:：]$/u.test(raw.text));
    // "Fogline helps walkers to:" begins each line of its list.
    const isOfList =
      next?.mark === 'bullet' &&
      isOwn &&
      section === 'other' &&
      lines.length > 0 &&
      !heading.includes(name) &&
      !/(?<!\p{L})app(?!\p{L})/iu.test(heading) &&
      !clause.test(heading) &&
      findPromisedCount(heading) === null;
    // "STUDY IN THREE GEARS" above "Read — 10 chapters." and "Drill — 35 questions."
    const isSeries = [1, 2].every(after => /^\p{Lu}\S* [–—-] /u.test(raws[i + after]?.text ?? ''));
    const isOfText =
      next?.mark === null &&
      (endsSentence.test(next.text) || raws[i + 2]?.isAfterGap !== false) &&
      !isSeries &&
      !(isLed && isInRun(raws, areHeadings, i + 1));
    label = isLabel && (isOfList || isOfText) ? heading : null;
  }
  return lines;
}

export const endsInIf = / (?:if|when|wenn|si|se|quando|cuando)$/iu;
/** The first of a list under a heading, with as many others as fit: one alone would be taken for all. */
function joinItems(raws: readonly Raw[], areHeadings: readonly boolean[], i: number, label: string): string {
  let { text } = raws[i]!;
  if (endsInIf.test(label)) return text;
  for (let at = i + 1; at < i + itemsMax; at += 1) {
    const next = raws[at];
    if (next?.look !== raws[i]!.look || next.isAfterGap || areHeadings[at]) break;
    const joined = `${text} · ${next.text}`;
    if (label.length + joined.length > joinedMax || /[.?…:]|!$/u.test(joined)) break;
    text = joined;
  }
  return text;
}

/** "JAN you are behind" above "APR you start catching up" and "JUL you're a power plant" */
function isInRun(raws: readonly Raw[], areHeadings: readonly boolean[], i: number): boolean {
  const isNext = (at: number) => raws[at]?.mark === null && !raws[at].isAfterGap && !areHeadings[at];
  let [first, last] = [i, i];
  while (isNext(first)) first -= 1;
  while (isNext(last + 1)) last += 1;
  return raws[i]!.mark === null && raws[i]!.text.length < 80 && last - Math.max(0, first) >= 2;
}

function readRaw(text: string): Raw[] {
  const raws: Raw[] = [];
  let isAfterGap = true;
  const all = text.split('\n').map(line => line.trim());
  const widest = Math.max(...all.map(({ length }) => length));
  for (const line of all.flatMap(splitLong)) {
    const bare = bareLine(line);
    if (raws.length === linesMax) break;
    if (!/[\p{L}\p{N}]/u.test(bare.text)) {
      isAfterGap = true;
      continue;
    }
    const before = raws.at(-1);
    // "– Pastor's wife, Tulsa"
    if (!isAfterGap && /^[–—~-]/u.test(line) && before?.mark === null && isQuotation.test(before.text))
      continue;
    const isFull = (width: number, next: string) =>
      width >= wrapMin && width + next.search(/\s|$/u) >= widest;
    const isLower = bare.mark === null && /^\p{Ll}(?!\p{Lu})/u.test(bare.text);
    // "Es kann:" above "nachts aus, morgens an" and "heller und dunkler mit dem Zimmer"
    const isListed = isLower && (before?.isListed || /[:：]$/u.test(before?.text ?? ''));
    const isBelowHeading = isShouted(before?.text ?? '') || (before?.width ?? 0) < wrappedMin;
    const isWrapped =
      !isAfterGap &&
      bare.mark === null &&
      ((isLower && !isListed && !isBelowHeading) ||
        (before?.mark && /,$/u.test(before.text)) ||
        (before !== undefined && (goesOn.test(before.text) || isFull(before.width, bare.text))));
    if (before && isWrapped && !/[.!?:。]$/u.test(before.text)) {
      before.text += ` ${bare.text}`;
      before.width = line.length;
    } else {
      // "⭐ Main Feature ⭐"
      const isFramed = raws.length > 0 && /^(\p{Extended_Pictographic}).+\1\ufe0f?$/u.test(line);
      const isHash = isFramed || /^#{1,6}\s/u.test(line);
      raws.push({ ...bare, look: lookOf(line, bare), isHash, isAfterGap, isListed, width: line.length });
    }
    isAfterGap = false;
  }
  return raws;
}

/** A paragraph in pieces that are read whole, each up to the end of a sentence. */
function splitLong(line: string): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > readMax && pieces.length < linesMax) {
    const end = /^.*[.!?](?=\s)|^.*[。！？]/su.exec(rest.slice(0, readMax))?.[0].length;
    if (!end) break;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
}

/**
 * "More than 4,000 harbors in" above "Europe and North America", "(Z, N," above "TT)"; the heading "Sign in" is short.
 */
const goesOn =
  /.{20} (?:in|of|the|and|with|an?|or|from|und|oder|der|die|das|für|von|im|de|el|los|las|y|con|para|por|et|les?|la|des|du|pour|avec|dans|e|os|as|do|da|em|com)$|\([^()]*,$/u;

/** The kind of mark: a list with an emoji of its own for each line is one list. */
function lookOf(line: string, { mark }: BareLine): string | null {
  if (mark !== 'bullet') return mark;
  return /^\p{Extended_Pictographic}|^\p{Regional_Indicator}/u.test(line) ? 'emoji' : line.charAt(0);
}

function isHeading(raws: readonly Raw[], i: number): boolean {
  const { text, look, isHash, isAfterGap } = raws[i]!;
  const [before, next] = [raws[i - 1], raws[i + 1]];
  const words = text.split(/\s+/u).length;
  if (raws[i]!.isListed && !/[:：]$/u.test(text)) return false;
  // What stands between two steps belongs to the first.
  if (before?.look === 'step' && next?.look === 'step' && !isAfterGap && !next.isAfterGap) return false;
  const isLong = withoutBrackets(text).length > headingMax;
  if (isLong && !(next?.mark && /[:：]$/u.test(text))) return false;
  const section = sectionOf(text);
  // "What does it cost?" above "Nothing for players."
  const isStart = isAfterGap || (before !== undefined && endsSentence.test(before.text));
  const isAnswered = i > 0 && isStart && next && !next.isAfterGap && next.mark === null;
  if (isAnswered && /^[^.!?]+[?？]$/u.test(text)) return true;
  const isAsking = /[?？]$/u.test(text) && (section !== undefined || (isShouted(text) && i > 0));
  if (endsSentence.test(text) && !abbreviated.test(text) && !isAsking) return false;
  if (isAsking && next?.mark && look !== next.look) return true;
  if (isHash || isBracketed(text) || /[:：]$/u.test(text)) return true;
  // Listings that mark every line with an emoji mark their headings too.
  if (isShouted(text) && isAfterGap && next && !next.isAfterGap && !isShouted(next.text)) return true;
  if (
    section &&
    section !== 'features' &&
    words <= 5 &&
    isAfterGap &&
    next?.isAfterGap === false &&
    look !== next.look
  )
    return true;
  // One of a list, whatever it is called.
  const isOfList = look !== null && (look === before?.look || look === next?.look);
  if (isOfList || /[:：,;]\s|\s[–—-]\s/u.test(text)) return false;
  if (section !== undefined && words <= 5 && i > 0) return true;
  if (isShouted(text) && (i > 0 || words <= 2)) return true;
  if (next === undefined || i === 0) return false;
  if (look === null && next.mark !== null && words <= (isAfterGap ? 6 : 4)) return true;
  if (next.isAfterGap) return false;
  if (look !== null) return next.mark === null;
  const isAboveList = next.mark !== null;
  const isAlone = isAfterGap && raws[i + 2]?.isAfterGap !== false;
  const isAboveText =
    next.mark === null && (isAlone || endsSentence.test(next.text)) && next.text.length > text.length;
  // "46-70 check the feet" above "71+ stop the machine."
  return isAboveList || (isAboveText && words <= 7 && isStart);
}
