/** Claims that get content restricted or that nobody can verify, judged by what the sentence is about. */

/** Offers wherever they appear. */
const always =
  /money back|limited time|lose \d+ ?(?:kg|kilos?|pounds?|lbs)|100 ?% (?:free|safe|guaranteed|natural)|!!|download now/iu;

/** Claims in a sentence about the app. Elsewhere they are ordinary words: "the best time to water". */
const aboutApp =
  /\bbest\b|(?:der|die|das) beste|(?:la|el) mejor|(?:la|le) meilleure?|(?:o|a) melhor|ultimate|powerful|fastest|\bproven\b|\baward|\bfree\b|gratis|gratuite?|grátis|kostenlos|100 ?%|\brated\b|doctor|médico|[$€£] ?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)* ?[$€£]/iu;

/** Cures are claims everywhere, unless the listing is about curing something else, such as ham. */
const cure = /(?<!\p{L})(?:cures?|cura|heals?|heilt|guérit)(?!\p{L})/iu;

/**
 * The first claim in a text, or null. A whole word of the listing is not a claim:
 * "doctor" in the app of a clinic.
 * @param listing lower case
 * @param known lower-case listing and brief: a topic may be about curing ham, but it
 * says nothing about the app
 */
export function findClaim(text: string, appName: string, listing: string, known = listing): string | null {
  const certain = always.exec(text)?.[0];
  if (certain !== undefined) return certain;
  const aboutSentences = new Set(listAboutApp(text, appName));
  for (const sentence of splitSentences(text)) {
    const isAboutApp = aboutSentences.has(sentence);
    const found = [cure.exec(sentence)?.[0], isAboutApp ? aboutApp.exec(sentence)?.[0] : undefined].find(
      word => word !== undefined && !hasWord(isAboutApp ? listing : known, word.toLowerCase()),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** True when the text has the word, whole, in the singular or the plural: "free" is not in "freelancers". */
function hasWord(text: string, word: string): boolean {
  const escaped = RegExp.escape(word.replace(/s$/, ''));
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}s?(?![\\p{L}\\p{N}]|[.,]\\d)`, 'u').test(text);
}

/** "The app", but not "the app that keeps you awake". */
const opensWithApp =
  /^\P{L}*(?:(?:and|but|also|so|und|aber|auch|y|pero) )?(?:(?:the|this|our) app|(?:die|diese|unsere) app|(?:la|esta|nuestra) (?:app|aplicación)|(?:l['’]|cette )app(?:li|lication)?)\b(?! (?:that|which|you|die|que|qui)\b)/iu;
const opensWithPronoun =
  /^\P{L}*(?:(?:and|but|also|so|then|plus|und|aber|auch|dann|y|pero|además) )?(?:its?|sie|es|er|ella|él|elle|il)\b/iu;
/** "Then rest": what the reader does next. */
const opensWithStep = /^\P{L}*(?:then|now|next|dann|jetzt|danach|luego|ahora|después)\b/iu;

/**
 * The sentences that are about the app: those that name it, those that open with "The app" or, where the text
 * names it, with "It", and what follows a sentence with the name, unless it is a step for the reader.
 */
export function listAboutApp(text: string, appName: string): string[] {
  const sentences = splitSentences(text);
  const isNamed = namesExactly(text, appName);
  return sentences.filter((sentence, i) => {
    if (namesExactly(sentence, appName) || opensWithApp.test(sentence)) return true;
    if (isNamed && opensWithPronoun.test(sentence)) return true;
    const before = sentences[i - 1];
    return before !== undefined && namesExactly(before, appName) && !opensWithStep.test(sentence);
  });
}

export function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s*/u).filter(Boolean);
}

export function namesApp(text: string, appName: string): boolean {
  return patternOf(appName, 'iu').test(text);
}

/** True for the name as it is written: an app called Turno is not in "antes de un turno". */
function namesExactly(text: string, appName: string): boolean {
  return patternOf(appName, /^\p{Ll}/u.test(appName) ? 'iu' : 'u').test(text);
}

/** The name, whole: Meia is not in "Meias", but it is in "今日からMeiaで". */
function patternOf(appName: string, flags: string): RegExp {
  const escaped = RegExp.escape(appName);
  return new RegExp(`(?<![\\p{sc=Latin}\\p{N}])${escaped}(?![\\p{sc=Latin}\\p{N}])`, flags);
}
