/** Claims that get content restricted or that nobody can verify, judged by what the sentence is about. */

/** Claims wherever they appear. */
const always =
  /#\s?1\b|\bno\.? ?1\b|number one|guarante|money back|limited time|millions? of (?:users|people|downloads)|\d[\d,.]*\+? ?(?:million )?(?:happy )?(?:users|downloads|households|personas)|top[- ]rated|\brated \d|\d[- ]star\b|award[- ]winning|clinically|(?:doctors?|dermatologists?|experts?)[- ](?:approved?|recommend\w*|swear|agree)|(?:recommended|approved|trusted|loved) by|lose \d+ ?(?:kg|kilos?|pounds?|lbs)|100 ?% (?:free|safe|guaranteed|natural)|!!|download now|garantier|garantiza|nummer (?:1|eins)|número uno/iu;

/** Claims in a sentence about the app. Elsewhere they are ordinary words: "the best time to water". */
const aboutApp =
  /\bbest\b|ultimate|powerful|fastest|\bproven\b|\baward|\bfree\b|gratis|kostenlos|100 ?%|\brated\b|doctor|médico|[$€£] ?\d|\d ?[$€£]/iu;

/** Cures are claims everywhere, unless the listing is about curing something else, such as ham. */
const cure = /\b(?:cures?|heals?)\b/iu;

/**
 * The first claim in a text, or null. A word of the listing is no claim: "doctor" in the app of a clinic.
 * @param listing lower case
 */
export function findClaim(text: string, appName: string, listing: string): string | null {
  const certain = always.exec(text)?.[0];
  if (certain !== undefined) return certain;
  for (const sentence of splitSentences(text)) {
    const found = [
      cure.exec(sentence)?.[0],
      namesApp(sentence, appName) ? aboutApp.exec(sentence)?.[0] : undefined,
    ].find(word => word !== undefined && !listing.includes(word.toLowerCase()));
    if (found !== undefined) return found;
  }
  return null;
}

export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s*/u).filter(Boolean);
}

export function namesApp(text: string, appName: string): boolean {
  return text.toLowerCase().includes(appName.toLowerCase());
}
