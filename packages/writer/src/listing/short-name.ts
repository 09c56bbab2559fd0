/** An app's name for running text, and the rest of its store title. */
export type AppName = { short: string; tagline: string | null };

const separator =
  /\s[-–—|·]\s|:\s|\s\||\s・\s|\s\((?!(?:and|or|und|oder|y|o|et|ou|e) )|\s\+\s|\s(?:\p{Extended_Pictographic}\ufe0f?)+\s|(?<=[?!])\s/u;
/** The name as its maker writes it, without its store subtitle. */
export function shortenName(name: string): AppName {
  const clean = name.normalize('NFC').replace(/[®™©]/g, '').replace(/\s+/g, ' ').trim();
  const match = separator.exec(clean);
  const left = clean
    .slice(0, match?.index)
    .replace(/\s(?:19|20)\d{2}$/, '')
    .trim();
  const right = match ? clean.slice(match.index + match[0].length) : '';
  const tagline = match?.[0].includes('(') ? right.replace(/\)$/, '') : right;
  return { short: left || clean, tagline: tagline.trim() || null };
}
