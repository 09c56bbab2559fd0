/** The topics of a text with one on each line, as people paste lists: without bullets, numbers and repeats. */
export function topicLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map(line => line.replace(/^\s*(?:[-*•–]|\d{1,3}[.)])\s+/, '').trim());
  return [...new Set(lines.filter(line => line !== ''))];
}
