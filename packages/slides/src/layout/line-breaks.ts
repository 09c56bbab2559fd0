/**
 * A piece that is broken only when it alone is wider than a line. `space`: a space follows when the next one
 * is on the same line.
 */
export type Piece = { text: string; space: boolean; breakPenalty: number };

const noSpaceScripts = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}]/u;
// Kinsoku: no line starts with one of these, and none ends with an opening mark.
const noLineStart = /^[。、，．・：；？！）」』】〉》ーっッゃゅょャュョァィゥェォぁぃぅぇぉ々…!?,.:;)\]}]/u;
const noLineEnd = /[（「『【〈《([{]$/u;
/** Function words of four letters and more; shorter words of alphabets are taken for function words. */
const clinging =
  /^(?:with|from|that|this|your|when|into|than|eine[nrms]?|oder|aber|dass|para|como|pour|dans|avec|mais|della|voor|naar)$/iu;
const shortWord = /^\P{L}*(?:[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}][\p{M}’']*){1,3}$/u;

/**
 * Splits a text into pieces with the cost of breaking after each: 0 is free, 1 is as bad as leaving half of a
 * line empty.
 */
export function cutPieces(text: string, language: string): Piece[] {
  const joined = text
    .trim()
    // A number stays with a word it counts that is not long, a mark with spaces around it with the word that it closes or
    // opens, and the short end of a sentence with the word before it.
    .replace(/(?<=(?<![\p{L}\d.,])\d{1,4}(?:[.,]\d{1,2})?)\s+(?=\p{L}{1,9}(?!\p{L}))/gu, '\u00a0')
    .replace(/\s+(?=[?!:;»–—·|-]+(?:\s|$))|(?<=«)\s+|(?<=\p{L})\s+(?=\p{L}{1,3}[.!?]\s)/gu, '\u00a0');
  const words = joined.split(/[^\S\u00a0\u202f]+/u);
  const pieces = words.flatMap(word =>
    noSpaceScripts.test(word) ? cutWithoutSpaces(word, language) : cutAtHyphens(word),
  );
  joinShortEnd(pieces);
  const [first, beforeLast, last] = [pieces[0], pieces.at(-2), pieces.at(-1)];
  if (last) last.space = false;
  // A short word alone on the first line looks like a mistake ("Take / the corner"), and more so on the last.
  if (first && pieces.length > 3 && /^[^:]{1,5}$/u.test(first.text)) first.breakPenalty += 1;
  if (beforeLast && last && [...last.text].length <= 5) beforeLast.breakPenalty += 2.5;
  return pieces;
}

/**
 * A last word of three letters or fewer stays with the one before it; otherwise the type shrinks to avoid a
 * line of "go".
 */
function joinShortEnd(pieces: Piece[]): void {
  const [beforeLast, last] = pieces.slice(-2);
  if (!beforeLast || !last) return;
  const letters = last.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const joined = `${beforeLast.text}${beforeLast.space ? '\u00a0' : ''}${last.text}`;
  const isShort = beforeLast.space
    ? letters <= 3 && pieces.length >= 4 && [...joined].length <= 14
    : letters <= 2 && [...joined].length <= 10;
  if (isShort) pieces.splice(-2, 2, { ...last, text: joined });
}

const numberWord =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|twelve|half|zwei|drei|vier|fünf|sechs|sieben|acht|zehn)-/iu;

function cutAtHyphens(word: string): Piece[] {
  // "Two-minute" is a number with its noun.
  const parts = numberWord.test(word) ? [word] : word.split(/(?<=\p{L}{3}[-–—/])(?=\p{L}{3})/u);
  return parts.map((part, index) => ({
    text: part,
    space: index === parts.length - 1,
    breakPenalty: index === parts.length - 1 ? penaltyAfter(part) : 3,
  }));
}

/** The end of a clause is a good place to break; after a small word or a number is not. */
function penaltyAfter(word: string): number {
  if (/^\d+$/.test(word)) return 1.4;
  if (shortWord.test(word)) return word.replace(/[^\p{L}]/gu, '').length < 3 ? 0.6 : 0.3;
  if (clinging.test(word)) return 0.25;
  return /[.:;!?–—·]$/.test(word) ? -0.3 : word.endsWith(',') ? -0.15 : 0;
}

/** A phrase ends in hiragana, in particles and inflections that the segmenter cuts apart; behind one a new phrase may begin. */
function isEndingOf(phrase: string, segment: string): boolean {
  if (!/^\p{sc=Hira}+$/u.test(segment) || /[、。！？」』）】]$/u.test(phrase)) return false;
  return segment.length === 1 || !/[にをはがのでともへて]$/u.test(phrase);
}

function cutWithoutSpaces(word: string, language: string): Piece[] {
  const merged: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(word)) {
    const previous = merged.at(-1);
    const isEnding = previous !== undefined && isEndingOf(previous, segment);
    const mustJoin = previous !== undefined && (noLineStart.test(segment) || noLineEnd.test(previous));
    const isDigits = previous !== undefined && /\d$/.test(previous);
    if (mustJoin || isDigits || isEnding) merged[merged.length - 1] += segment;
    else merged.push(segment);
  }
  return merged.map((text, index) => ({
    text,
    space: index === merged.length - 1,
    breakPenalty: penaltyBetween(text, merged[index + 1] ?? ''),
  }));
}

/** A Japanese phrase begins with a sign or katakana and ends in hiragana; inside one is no good place. */
function penaltyBetween(text: string, next: string): number {
  if (/[、。！？」』）】]$/u.test(text)) return -0.15;
  if (/\p{sc=Thai}/u.test(text)) return 0;
  if (/^\p{sc=Hira}/u.test(next)) return 1;
  return /\p{sc=Hira}$/u.test(text) ? 0 : 0.5;
}

/** Splits a piece that is wider than a line at graphemes, in as few parts as fit, each about as wide. */
export function breakLongPiece(piece: Piece, width: number, measure: (text: string) => number): Piece[] {
  const graphemes = Array.from(new Intl.Segmenter().segment(piece.text), ({ segment }) => segment);
  const room = width - measure('-');
  let parts = cutAt(graphemes, room, measure);
  for (let share = 0.97; share > 0.5; share *= 0.97) {
    const even = cutAt(graphemes, room * share, measure);
    // A run of letters can be wider than the sum of its letters: "WW".
    const fits = parts.every(part => measure(part) <= room);
    if (fits && even.length > parts.length) break;
    parts = even;
  }
  return parts.map((text, i): Piece => {
    if (i === parts.length - 1) return { ...piece, text };
    return { text: /\p{sc=Latn}$/u.test(text) ? `${text}-` : text, space: false, breakPenalty: -4 };
  });
}

function cutAt(graphemes: readonly string[], width: number, measure: (text: string) => number): string[] {
  const parts = [''];
  let used = 0;
  for (const grapheme of graphemes) {
    used += measure(grapheme);
    if (used > width && parts.at(-1) !== '') {
      parts.push('');
      used = measure(grapheme);
    }
    parts[parts.length - 1] += grapheme;
  }
  return parts;
}

/**
 * The lines with the most even right edge: the least sum of squared slack plus penalties, found by dynamic
 * programming over all breaks. Null when a piece is wider than `width`, or more than `linesMax` lines are
 * needed. `measure` returns the width of a text in the unit of `width`; `penalty` sums those of the breaks.
 */
export function balanceLines(
  pieces: readonly Piece[],
  width: number,
  measure: (text: string) => number,
  linesMax = Number.POSITIVE_INFINITY,
): { lines: string[]; penalty: number } | null {
  const widths = pieces.map(piece => measure(piece.text));
  if (widths.some(pieceWidth => pieceWidth > width)) return null;
  const space = measure(' ');
  const linesMin = countGreedyLines(pieces, widths, space, width);
  if (linesMin > linesMax) return null;
  // Lines are balanced within the smallest width that needs no extra line.
  const best: { cost: number; from: number }[][] = [[{ cost: 0, from: 0 }]];
  for (let line = 1; line <= linesMin; line++) best.push([]);
  for (let line = 1; line <= linesMin; line++) fillLine(best, line, linesMin, pieces, widths, space, width);
  const lines: string[] = [];
  let penalty = 0;
  let end = pieces.length;
  for (let line = linesMin; line > 0; line--) {
    const from = best[line]?.[end]?.from;
    if (from === undefined) return null;
    lines.unshift(joinPieces(pieces.slice(from, end)));
    if (line < linesMin) penalty += Math.max(0, pieces[end - 1]!.breakPenalty);
    end = from;
  }
  return { lines, penalty };
}

function fillLine(
  best: { cost: number; from: number }[][],
  line: number,
  linesMin: number,
  pieces: readonly Piece[],
  widths: readonly number[],
  space: number,
  width: number,
): void {
  for (const [from, before] of best[line - 1]!.entries()) {
    if (before === undefined) continue;
    let used = 0;
    for (let end = from + 1; end <= pieces.length; end++) {
      used += widths[end - 1]! + (end > from + 1 && pieces[end - 2]!.space ? space : 0);
      if (used > width) break;
      const isLast = end === pieces.length;
      if (isLast !== (line === linesMin)) continue;
      const slack = (width - used) / width;
      const penalty = isLast ? 0 : pieces[end - 1]!.breakPenalty;
      const cost = before.cost + slack * slack + penalty * 0.25;
      const known = best[line]![end];
      if (!known || cost < known.cost) best[line]![end] = { cost, from };
    }
  }
}

function countGreedyLines(
  pieces: readonly Piece[],
  widths: readonly number[],
  space: number,
  width: number,
): number {
  let lines = 1;
  let used = 0;
  for (const [i, pieceWidth] of widths.entries()) {
    const gap = used > 0 && pieces[i - 1]!.space ? space : 0;
    if (used > 0 && used + gap + pieceWidth > width) {
      lines++;
      used = pieceWidth;
    } else used += gap + pieceWidth;
  }
  return lines;
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text, space }, i) => (space && i < pieces.length - 1 ? `${text} ` : text)).join('');
}
