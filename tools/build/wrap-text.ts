/** What the indentation of a generated comment and its marks leave of a line. */
const WIDTH = 96;

/** The text as lines of at most 96 characters; a longer word has a line of its own. */
export function wrapText(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
