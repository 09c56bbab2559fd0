import { francAll } from 'franc-min';

const byScript: [RegExp, string][] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/gu, 'ja'],
  [/\p{sc=Hang}/gu, 'ko'],
  [/\p{sc=Han}/gu, 'zh'],
  [/\p{sc=Thai}/gu, 'th'],
  [/\p{sc=Hebr}/gu, 'he'],
  [/\p{sc=Grek}/gu, 'el'],
  [/\p{sc=Arab}/gu, 'ar'],
  [/\p{sc=Deva}/gu, 'hi'],
  [/\p{sc=Cyrl}/gu, 'ru'],
];
/** Scripts of several languages. */
const shared = new Set(['ar', 'hi', 'ru']);

/** The most common function words: enough to distinguish these six languages in two sentences. */
const smallWords: Record<string, ReadonlySet<string>> = {
  en: new Set('the and you your with for that this is are of to when what it on in not a'.split(' ')),
  de: new Set(
    'der die das und ist nicht mit für dein deine du ein eine den dem wenn was auch oder im zu es nur dann dich dir am vor nach kein keine hat wird aus bis noch schon man alles'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las que para con por un una tu tus más cada al del y es no cómo en lo si ya hay sin cuando está esto todo nada'.split(
      ' ',
    ),
  ),
  fr: new Set('le la les des et est pour avec vous votre une dans que qui sur pas du au'.split(' ')),
  pt: new Set('o os as que para com uma você seu sua mais não do da em é e no na'.split(' ')),
  it: new Set('il lo gli che per con una non sono più del della di e è nel tuo'.split(' ')),
};

const byCountry: Record<string, string> = {
  de: 'de',
  at: 'de',
  es: 'es',
  mx: 'es',
  ar: 'es',
  co: 'es',
  fr: 'fr',
  pt: 'pt',
  br: 'pt',
  it: 'it',
  jp: 'ja',
  kr: 'ko',
  cn: 'zh',
  tw: 'zh',
  cz: 'cs',
  dk: 'da',
  fi: 'fi',
  hu: 'hu',
  no: 'no',
  pl: 'pl',
  ru: 'ru',
  se: 'sv',
  tr: 'tr',
};

const charactersMax = 2_000;

/**
 * The language of a listing: by script, by its trigrams (franc) where its function words do not speak against it, and
 * for texts under 40 letters by the storefront's country. Pass the description, not the name: names have no language.
 */
export function detectLanguage(text: string, country: string | null): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const local = byCountry[country?.toLowerCase() ?? ''] ?? 'en';
  for (const [script, language] of byScript) {
    // Japanese is at least a tenth kana even when most of it is Han; a stray word in another script is not
    // enough.
    if ((text.match(script)?.length ?? 0) > Math.max(3, letters * 0.1)) {
      return (shared.has(language) && local !== language ? readTrigrams(text) : null) ?? language;
    }
  }
  if (letters < 40) return local;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(smallWords).map(([language, small]) => ({
    language,
    share: words.filter(word => small.has(word)).length / words.length,
  }));
  const best = scores.reduce((one, other) => (other.share > one.share ? other : one));
  if (best.share >= 0.25) return best.language;
  const found = readTrigrams(text);
  // Trigrams know no Finnish, and take Danish for Swedish.
  const isLocal = smallWords[local] === undefined && !byScript.some(([, language]) => language === local);
  if (isLocal && found !== 'en') return local;
  const known = scores.find(({ language }) => language === found);
  // Trigrams of a short text mistake a language for its neighbour, whose small words it then has none of.
  if (found !== null && (known === undefined ? best.share < 0.12 || letters > 200 : known.share > 0))
    return found;
  return best.share >= 0.12 ? best.language : local;
}

function readTrigrams(text: string): string | null {
  const [[code = 'und'] = []] = francAll(text.slice(0, charactersMax));
  return code === 'und' ? null : Intl.getCanonicalLocales(code)[0]!.split('-')[0]!;
}
