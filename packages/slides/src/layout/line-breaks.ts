/**
 * A piece that is broken only when it alone is wider than a line. `space`: a space follows when the next one
 * is on the same line; `hyphen`: a hyphen is set when a line ends after it.
 */
export type Piece = { text: string; space: boolean; breakPenalty: number; hyphen?: true };

const noSpaceScripts = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}]/u;
// Kinsoku: no line starts with one of these, and none ends with an opening mark.
const noLineStart = /^[。、，．・：；？！）」』】〉》ーっッゃゅょャュョァィゥェォぁぃぅぇぉ々…!?,.:;)\]}]/u;
const noLineEnd = /[（「『【〈《([{]$/u;
// Small words stay with the next word: a line that ends in "the" or "5" reads badly.
const articles = /^(a|an|the|your|no|der|die|das|ein|eine|el|la|los|las|un|una|le|les)$/iu;
const clinging = /^(of|to|in|on|at|by|i|for|from|with|and|or|but|not|vom|zum|zur|im|am|und|de|y|que|pov:)$/iu;

/**
 * Splits a text into pieces with the cost of breaking after each: 0 is free, 1 is as bad as leaving half of a
 * line empty. `mayHyphenate` also splits long words between syllables.
 */
export function cutPieces(text: string, language: string, mayHyphenate = false): Piece[] {
  // A number stays with the word it counts.
  const joined = text.trim().replace(/(?<=(?:^|\s)\d{1,4})\s+(?=[\p{L}])/gu, '\u00a0');
  const words = joined.split(/[^\S\u00a0\u202f]+/u);
  const pieces = words.flatMap(word =>
    noSpaceScripts.test(word) ? cutWithoutSpaces(word, language) : cutAtHyphens(word),
  );
  joinShortEnd(pieces);
  const last = pieces.at(-1);
  if (last) last.space = false;
  const cut = mayHyphenate ? pieces.flatMap(hyphenatePiece) : pieces;
  // A short word alone on the first line looks like a mistake ("Take / the corner").
  const first = cut[0];
  if (first && cut.length > 3 && [...first.text].length <= 5) first.breakPenalty += 1;
  const beforeLast = cut.at(-2);
  // A short word alone on the last line.
  if (beforeLast && last && [...last.text].length <= 5) beforeLast.breakPenalty += 2.5;
  return cut;
}

/**
 * A last word of three letters or fewer stays with the one before it; otherwise the type shrinks to avoid a
 * line of "go".
 */
function joinShortEnd(pieces: Piece[]): void {
  const [beforeLast, last] = pieces.slice(-2);
  if (!beforeLast?.space || !last || pieces.length < 4) return;
  const letters = last.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const joined = `${beforeLast.text}\u00a0${last.text}`;
  if (letters <= 3 && [...joined].length <= 14) pieces.splice(-2, 2, { ...last, text: joined });
}

const vowel = '[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœаеёиоуыэюяіїє]';
const consonant = `(?:(?!${vowel})[\\p{sc=Latn}\\p{sc=Cyrl}])`;
// Syllable onsets: one consonant, or several spoken as one ("Garten-stuhl", but "Donners-tag"; never "c-k").
const onset = `(?:sch[lmnrw]?|[ckpt]h|st(?!ag)r?|scr|sp[rl]?|[bcfgkpdt]r|[bcfgkp]l|qu|(?!(?<=c)k|[ьъй])${consonant})`;
const syllableStart = new RegExp(`(?<=${vowel}${consonant}*)(?=${onset}${vowel})`, 'giu');
const afterVowel = new RegExp(`${vowel}$`, 'iu');
const hasVowel = new RegExp(vowel, 'iu');
const hyphenatedLettersMin = 12;
const partLettersMin = 4;

/**
 * Cuts a long word in two between syllables, near its middle, and halves that are still long again. For words
 * that would otherwise make the type small, such as German compounds. A rule and not TeX patterns, because of
 * their memory (D-73).
 */
function hyphenatePiece(piece: Piece): Piece[] {
  const word = /^\P{L}*([\p{sc=Latn}\p{sc=Cyrl}]+)\P{L}*$/u.exec(piece.text)?.[1] ?? '';
  if (word.length < hyphenatedLettersMin) return [piece];
  const starts = [...word.matchAll(syllableStart)]
    .map(({ index }) => index)
    // The longest of "schl" and "l", or of "str", "tr" and "r", begins the syllable.
    .filter((at, i, all) => i === 0 || hasVowel.test(word.slice(all[i - 1], at)));
  // Two consonants are the safer place: often the joint of a compound.
  const costAt = (at: number) =>
    Math.abs(at - word.length / 2) + (afterVowel.test(word.slice(0, at)) ? 2.5 : 0);
  const [best] = starts
    .filter(at => at >= partLettersMin && at <= word.length - partLettersMin)
    .sort((one, other) => costAt(one) - costAt(other));
  if (best === undefined) return [piece];
  const cut = piece.text.indexOf(word) + best;
  return [
    { text: piece.text.slice(0, cut), space: false, breakPenalty: 1.6, hyphen: true } as const,
    { ...piece, text: piece.text.slice(cut) },
  ].flatMap(hyphenatePiece);
}

const numberWord =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|twelve|half|zwei|drei|vier|fünf|sechs|sieben|acht|zehn)-/iu;

function cutAtHyphens(word: string): Piece[] {
  // "Two-minute" is a number with its noun.
  const parts = numberWord.test(word) ? [word] : word.split(/(?<=\p{L}{3}[-–—/])(?=\p{L}{3})/u);
  return parts.map((part, index) => ({
    text: part,
    space: index === parts.length - 1,
    breakPenalty: index === parts.length - 1 ? penaltyAfter(part) : 1.2,
  }));
}

/** The end of a clause is a good place to break; after a small word or a number is not. */
function penaltyAfter(word: string): number {
  if (/^\d+$/.test(word)) return 1.4;
  if (articles.test(word)) return 0.36;
  if (clinging.test(word)) return 0.2;
  return /[.:;!?]$/.test(word) ? -0.3 : word.endsWith(',') ? -0.15 : 0;
}

function cutWithoutSpaces(word: string, language: string): Piece[] {
  const merged: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(word)) {
    const previous = merged.at(-1);
    const isParticle = /^[\p{sc=Hira}]{1,2}$/u.test(segment) && previous && !noLineStart.test(previous);
    const mustJoin = previous !== undefined && (noLineStart.test(segment) || noLineEnd.test(previous));
    const isDigits = previous !== undefined && /\d$/.test(previous);
    if (mustJoin || isDigits || (isParticle && [...previous].length < 6))
      merged[merged.length - 1] += segment;
    else merged.push(segment);
  }
  return merged.map((text, index) => ({
    text,
    space: index === merged.length - 1,
    breakPenalty: /[、。！？]$/u.test(text) ? -0.15 : 0,
  }));
}

/** Splits a piece that is wider than a line at graphemes, so that nothing is clipped. */
export function breakLongPiece(piece: Piece, isTooWide: (text: string) => boolean): Piece[] {
  const parts: string[] = [];
  let current = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(piece.text)) {
    if (current && isTooWide(current + segment)) {
      parts.push(current);
      current = segment;
    } else current += segment;
  }
  parts.push(current);
  return parts.map((text, index) =>
    index === parts.length - 1 ? { ...piece, text } : { text, space: false, breakPenalty: 0 },
  );
}

/**
 * The lines with the most even right edge: the least sum of squared slack plus penalties, found by dynamic
 * programming over all breaks. Null when a piece is wider than `width`. `measure` returns the width of a text
 * in the unit of `width`.
 */
export function balanceLines(
  pieces: readonly Piece[],
  width: number,
  measure: (text: string) => number,
): string[] | null {
  const widths = pieces.map(piece => measure(piece.text));
  const hyphens = pieces.map(piece => (piece.hyphen ? measure('-') : 0));
  if (widths.some((pieceWidth, i) => pieceWidth + hyphens[i]! > width)) return null;
  const space = measure(' ');
  const linesMin = countGreedyLines(pieces, widths, hyphens, space, width);
  // Lines are balanced within the smallest width that needs no extra line.
  const best: { cost: number; from: number }[][] = [[{ cost: 0, from: 0 }]];
  for (let line = 1; line <= linesMin; line++) best.push([]);
  for (let line = 1; line <= linesMin; line++)
    fillLine(best, line, linesMin, pieces, widths, hyphens, space, width);
  const lines: string[] = [];
  let end = pieces.length;
  for (let line = linesMin; line > 0; line--) {
    const from = best[line]?.[end]?.from;
    if (from === undefined) return null;
    lines.unshift(joinPieces(pieces.slice(from, end)));
    end = from;
  }
  return lines;
}

function fillLine(
  best: { cost: number; from: number }[][],
  line: number,
  linesMin: number,
  pieces: readonly Piece[],
  widths: readonly number[],
  hyphens: readonly number[],
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
      const lineWidth = used + hyphens[end - 1]!;
      if (isLast !== (line === linesMin) || lineWidth > width) continue;
      const slack = (width - lineWidth) / width;
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
  hyphens: readonly number[],
  space: number,
  width: number,
): number {
  let lines = 1;
  let used = 0;
  for (const [i, pieceWidth] of widths.entries()) {
    const gap = used > 0 && pieces[i - 1]!.space ? space : 0;
    if (used > 0 && used + gap + pieceWidth + hyphens[i]! > width) {
      lines++;
      used = pieceWidth;
    } else used += gap + pieceWidth;
  }
  return lines;
}

function joinPieces(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, i) => {
      const isLast = i === pieces.length - 1;
      return piece.text + (isLast ? (piece.hyphen ? '-' : '') : piece.space ? ' ' : '');
    })
    .join('');
}
