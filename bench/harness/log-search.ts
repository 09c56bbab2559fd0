import { createReadStream } from 'node:fs';

/** Counts the occurrences of a text in a file of any size. */
export async function countInFile(file: string, text: string): Promise<number> {
  let count = 0;
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1' })) {
    const parts = (rest + chunk).split(text);
    count += parts.length - 1;
    // A possible beginning of the text continues in the next chunk.
    rest = text.length > 1 ? (parts.at(-1) ?? '').slice(1 - text.length) : '';
  }
  return count;
}
