/** An app's name for running text, and the rest of its store title. */
export type AppName = { short: string; tagline: string | null };

const separator = /\s[-–—|]\s|:\s|\s\||\s・\s|\s\(|\s\+\s|\s\p{Extended_Pictographic}\ufe0f?\s/u;

/**
 * The name without its store subtitle: the part before the first separator when it has at most four words and
 * 24 characters, else its first capitalised run. Names in capitals get title case unless they have four
 * letters or fewer. Never translated or inflected.
 */
export function shortenName(name: string): AppName {
  const clean = name.replace(/[®™©]/g, '').replace(/\s+/g, ' ').trim();
  const match = separator.exec(clean);
  const left = (match ? clean.slice(0, match.index) : clean).replace(/\s(?:19|20)\d{2}$/, '').trim();
  const tagline = match
    ? clean
        .slice(match.index + match[0].length)
        .replace(match[0].includes('(') ? /\)$/ : '', '')
        .trim()
    : null;
  const isShort = left.split(' ').length <= 4 && [...left].length <= 24;
  return {
    short: softenCapitals(isShort && left ? left : firstRun(left || clean)),
    tagline: tagline || null,
  };
}

function firstRun(name: string): string {
  const words = name.split(' ');
  const end = words.findIndex((word, i) => i > 0 && !/^[\p{Lu}\d&]/u.test(word));
  const run = words.slice(0, Math.min(3, end === -1 ? words.length : end)).join(' ');
  return (
    [...run]
      .slice(0, 30)
      .join('')
      .replace(/[\s,;.&]+$/u, '') || name.slice(0, 30)
  );
}

function softenCapitals(name: string): string {
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  if (letters <= 4 || name !== name.toUpperCase() || name === name.toLowerCase()) return name;
  return name.toLowerCase().replace(/(?<![\p{L}\p{N}'])\p{Ll}/gu, letter => letter.toUpperCase());
}
