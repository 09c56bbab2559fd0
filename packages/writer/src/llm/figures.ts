/** Figures, results and praise that nobody can back: refused unless the listing or the brief has them. */

const any = (...words: string[]): string => `(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`;
const pattern = (...parts: string[]): RegExp => new RegExp(parts.join(''), 'iu');
const every = (one: RegExp): RegExp => new RegExp(one, 'giu');
const amount = String.raw`\d[\d.,]*`;
const currency = String.raw`(?:[€$£]|R\$)`;
const money = `(?:${currency} ?${amount}|${amount} ?${currency})`;
const kilos = String.raw`\d+ ?(?:kg|kilos?|pounds?|lbs|calor\p{L}+)`;
const hours = String.raw`\d+ (?:hours?|minutes?|Stunden?|Minuten?|horas?|minutos?|heures?)`;
const span = String.raw`\d+ (?:days?|weeks?|months?|Tagen?|Wochen?|Monaten?|días?|semanas?|meses|jours?|semaines?|mois|dias?)`;
const gap = '[^.!?]{0,40}?';

/** Shares, multiples, odds and averages: their digits must be known. */
const figures = [
  pattern(
    `(?<digits>${amount})`,
    String.raw`\s?(?:%|percent\b|prozent\b|por ciento|por cento|pour cent|times (?:more|faster|better)|x (?:more|faster))`,
  ),
  // "You write down a 7 out of 10" is a mark, not a share.
  pattern(String.raw`(?<!(?<!\p{L})(?:an?|eine) )(?<digits>\d+) (?:out of|von|de cada) \d+`),
  pattern(
    any('on average', 'im Schnitt', 'en promedio', 'de media', 'en moyenne', 'em média'),
    gap,
    `(?<digits>${amount})`,
  ),
].map(every);

/** What a reader is promised to become, save, lose or gain. */
const results = [
  pattern(
    any(
      'sav(?:e|es|ed)',
      'earn(?:s|ed)?',
      'spar(?:e|en|st|t)',
      'verdien\\p{L}*',
      'ahorr\\p{L}+',
      'gan(?:a|as|an|ar|e)',
      'économis\\p{L}+',
      'gagn\\p{L}+',
      'economi[sz]\\p{L}+',
      'ganh\\p{L}+',
      'poup\\p{L}+',
    ),
    gap,
    `(?:${money}|${hours})`,
  ),
  pattern(
    any(
      'lose',
      'burn',
      'nimm',
      'verlier\\p{L}*',
      'pierd\\p{L}+',
      'quema\\p{L}*',
      'perdez',
      'brûle\\p{L}*',
      'perca',
      'queime',
    ),
    gap,
    kilos,
  ),
  pattern(hours, ' ', any('longer', 'more', 'länger', 'mehr', 'más', 'de plus', 'a mais')),
  pattern(
    any(
      'twice as (?:fast|well|good)',
      'doppelt so (?!viel|lange?|groß|hoch)',
      'el doble (?:de rápido|con)',
      'deux fois (?:plus vite|meilleur\\p{L}*|mieux)',
      'o dobro (?:mais|com)',
    ),
  ),
  pattern(
    any(
      'become',
      'speak',
      'talk',
      'play',
      'master',
      'write',
      'sprich\\p{L}*',
      'spielst',
      'wirst',
      'habl\\p{L}+',
      'tocar\\p{L}*',
      'toque',
      'devenez',
      'parl\\p{L}+',
      'escrev\\p{L}+',
      'fal(?:e|ará)',
    ),
    gap,
    any('in', 'en', 'em', 'nach'),
    ' ',
    span,
  ),
  pattern(
    any('in', 'en', 'em', 'nach'),
    ' ',
    span,
    ' ',
    any(
      'spielst',
      'sprichst',
      'wirst',
      "you'll",
      'you will',
      'hablarás',
      'vous (?:parlerez|jouerez)',
      'você (?:fala|toca)\\p{L}*',
    ),
  ),
];

/** What others are said to think of the app. */
const praise = [
  /(?<!\p{L})(?:top[- ]rated|award[- ]winning|#\s?1\b|no\.? ?1\b|number one|nummer (?:1|eins)|numéro (?:1|un)|número (?:1|uno|um))(?!\p{L})/iu,
  /(?:\b(?:recommended|approved|trusted|loved|used) by|(?:doctors?|dermatologists?|experts?)[- ](?:approved?|recommend\p{L}*|swear|agree)|schwören (?:auf|darauf)|confían en|(?:nous|lui) font confiance|confiam)/iu,
  pattern(
    String.raw`(?:${amount}|million\p{L}*|un million|milh\p{L}+|mill\p{L}+|plusieurs)\+? (?:de |d['’])?(?:happy )?(?:users|people|downloads|families|households|kitchens|personas|usuarios|utilisateurs|familles|téléchargements|descargas|usuários|escritores|famílias|Nutzer\p{L}*|Familien|Downloads)`,
  ),
  pattern(`${amount}`, String.raw`[ -]?(?:stars?|Sternen?|estrellas|étoiles|estrelas)(?!\p{L})`),
  /(?<!\p{L})(?:guaranteed?|garantier\p{L}+|garantiz\p{L}+|garanti(?:do|da)?(?!\p{L})|garantia d[ao]|clinically|money back)/iu,
];

/** "If it charges 20%" and "a limit, for example 10%" claim nothing; a comma ends what is only supposed. */
const supposed = pattern(
  any(
    ...['if', 'for example', 'wenn', 'falls', 'zum Beispiel', 'par exemple', 'por ejemplo', 'por exemplo'],
    ...['per esempio', 'bijvoorbeeld'],
    "si (?:l[ae]s?|el|los|une?|una|t[aeou]s?|v?otre|vos|vous|on|ils?|elles?|l['’]\\p{L}+)",
  ),
  '[^.,;:!?]{0,50}$|',
  `(?:^|[.!?] )(?:say|suppose|angenommen|supposons|imaginez?|imagina|supón|suponha) |`,
  '(?:^|[.!?] )(?:\\p{L}{1,3} )?(?:example|beispiel|exemple|ejemplo|exemplo|esempio|voorbeeld) ?: [^.!?]{0,90}$',
);

const amounts = new RegExp(money, 'gu');

/** "Of 5,000 the one who earns 3,000 pays 60%" and "of $600, 1% is $6" can be worked out on the slide. */
function isComputed(share: string, text: string): boolean {
  if ((text.match(amounts)?.length ?? 0) > 1) return true;
  const numbers = [...text.matchAll(/\d+(?:[.,]\d+|\s\d{3}(?!\d))*/g)].map(([digits]) => readNumber(digits));
  const shares = numbers.flatMap(part => numbers.map(whole => Math.round((100 * part) / whole)));
  const told = readNumber(share);
  return numbers.length > 2 && [told, 100 - told].some(one => shares.includes(one));
}

/** Groups of three digits are thousands, anything else behind a point or comma is a fraction. */
const readNumber = (digits: string) =>
  Number(digits.replace(/(?<=^[1-9].*)[.,\s](?=\d{3}(?!\d))/g, '').replace(',', '.'));

/**
 * The first figure, promised result or praise of a text that is not in `known`, or null.
 * @param known lower-case listing, topic and given hook
 */
export function findUnbacked(text: string, known: string): string | null {
  for (const figure of figures) {
    for (const found of text.matchAll(figure)) {
      const digits = found.groups!.digits!;
      if (known.includes(digits) || supposed.test(text.slice(0, found.index))) continue;
      if (!isComputed(digits, text)) return found[0];
    }
  }
  for (const claim of [...results, ...praise]) {
    const found = claim.exec(text)?.[0];
    if (found !== undefined && !known.includes(found.toLowerCase())) return found;
  }
  return null;
}
