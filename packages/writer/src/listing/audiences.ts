/**
 * The audiences that a sentence of a listing names, in the form used after "for": "shift workers", "quien
 * nunca ha corrido".
 */
export function readAudiences(text: string, language: string): string[] {
  if (language === 'de') return readGerman(text);
  if (language === 'es') return readSpanish(text);
  return language === 'en' ? readEnglish(text) : [];
}

function readEnglish(text: string): string[] {
  const named =
    /(?:^|\b)(?:is |was made |made )?for (.+?)[.!]?$|^(?:perfect for )(.+?)[.!]?$|^(.+?) write to us/iu.exec(
      text,
    );
  const isList = /^[\p{Lu}]\p{L}+(?: \p{L}+){0,2}, /u.test(text);
  const list = named?.[2] ?? named?.[3] ?? named?.[1] ?? (isList ? text : null);
  if (!list || list.length > 160) return [];
  const people = list
    .split(/,?\s+(?:and\s+)?for\s+/u)
    .flatMap(readEnglishPart)
    .map(part => (/^\p{Lu}\p{Ll}/u.test(part) ? part.charAt(0).toLowerCase() + part.slice(1) : part));
  // "Check balances, search payments", "a timer for rain, waves and fans": elsewhere only words for people
  // make it a list of audiences.
  const isPeopleWord = (part: string) => peopleWord.test(part);
  if (/^(?:(?:made|built|designed|perfect|great) )?for /i.test(text)) return people;
  return (isList ? people.every(isPeopleWord) : people.some(isPeopleWord)) ? people : [];
}

const peopleWord =
  /\b(?:people|women|men|couples|families|teams|friends|nurses|mums|moms|dads|athletes|cooks|chefs|colleagues|novices|clubs|schools|crews|hosts|\p{L}+(?:er|or|ist|ian|ee|(?<!m)ent|ant)s)\b/iu;

/** "people who travel" is kept whole when it is short; a longer clause and the text after it are dropped. */
function readEnglishPart(part: string): string[] {
  if (/^[\p{L}-]+s? who(?: [\p{L}'-]+){1,3}$/u.test(part) && !/\b(it|this|that|and|or)\b/.test(part))
    return [part];
  return part
    .replace(/\s(?:who|that|which)\s.*$/i, '')
    .split(/,\s*(?:and\s+)?|\s+and\s+/u)
    .map(name => name.replace(/[.!]$/, '').trim())
    .filter(isPeople);
}

const notPeople =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred|extra|no|a|an) |^(it|people|groceries|rent|food|fun|everything|adults|those|that|them|all|you|us|(?:[\p{L}-]+ )*trips|grown-ups|days|weeks|months|hours|times|recipes|tools|files|lists|notes|vans|cars|dogs|cats|phones|children|(?:[\p{L}-]+ )*(?:kids|toddlers|babies|dogs|cats|puppies|kittens|rabbits|hamsters|guinea pigs|pets|animals|birds))$/iu;

/** A plural of people in one to five words: "shift workers", "nurses on rotating shifts". */
function isPeople(part: string): boolean {
  const words = part.split(/\s+/);
  const head =
    words[0] === 'people' || words[0] === 'parents'
      ? words[0]
      : (words.find((_, i) => /^(on|with|of|in)$/i.test(words[i + 1] ?? '')) ?? words.at(-1)!);
  const isPlural = /[^s]s$/i.test(head) || head === 'people';
  return (
    words.length <= 5 &&
    isPlural &&
    /^[\p{L}' -]+$/u.test(part) &&
    !notPeople.test(part) &&
    /^(people with |[^ ]+( |$))/.test(part) &&
    !/\b(who|that|your|both|the|its|apps?|nights|invoices|menus|puzzles|plants|storage)\b/i.test(part)
  );
}

/**
 * "Für Familien, Berufstätige und alle, die …": plain plurals only; an open "alle, die" has no end to cut at.
 */
function readGerman(text: string): string[] {
  const [, list] = /^(?:.* )?für (.+?)[.!]?$/iu.exec(text) ?? [];
  if (!list || list.length > 160) return [];
  return list
    .replace(/\s(?:und|oder) alle\b.*$/u, '')
    .split(/,\s*|\s+(?:und|oder)\s+/u)
    .filter(part => /^\p{Lu}[\p{L}-]{1,25}(?:en|er|ige|ner|innen|nde|s|te|nte|e)$/u.test(part));
}

/** "Para quien nunca ha corrido, para quien vuelve …": each "quien" clause, and plain plurals. */
function readSpanish(text: string): string[] {
  const [, list] = /^(?:(?:hech|pensad|cread)[oa]s? |ideal )?para (.+?)[.!]?$/iu.exec(text) ?? [];
  if (!list) return [];
  return list
    .split(/,?\s+(?:y\s+)?para\s+|,\s+(?!que)/iu)
    .map(part => part.trim())
    .filter(part => /^quien .+/.test(part) || /^\p{Ll}[\p{L} ]+(?:es|os|as)$/u.test(part))
    .filter(part => part.length <= 45 && part.split(' ').length <= 8);
}
