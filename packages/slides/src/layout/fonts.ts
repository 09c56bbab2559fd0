import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { loadCanvas } from '../canvas.ts';
import { readCoverage } from './font-coverage.ts';

const require = createRequire(import.meta.url);

/** A family by weight. `style` is the end of its file names; the files are subsets by script. */
export type Face = { package: string; weight: number };

type Subset = { name: string; ranges: [number, number][] };
type Family = { folder: string; file: string; subsets: Subset[] };

const families = new Map<string, Family>();
/** Paths with their aliases, as this thread registered them. */
const registered = new Map<string, string>();

/**
 * Scripts that no display family covers, in lookup order. The Japanese one also has arrows, ticks and stars.
 */
const heavyFallbacks: Face[] = [
  { package: '@fontsource/inter', weight: 800 },
  { package: '@fontsource/rubik', weight: 800 },
  { package: '@fontsource/cairo', weight: 800 },
  { package: '@fontsource/noto-sans-thai', weight: 800 },
  { package: '@fontsource/noto-sans-devanagari', weight: 800 },
];
const textFallbacks: Face[] = heavyFallbacks.map(face => ({ ...face, weight: 500 }));
const hanFaces = {
  ja: { package: '@fontsource-variable/noto-sans-jp', weight: 0 },
  zh: { package: '@fontsource-variable/noto-sans-sc', weight: 0 },
  ko: { package: '@fontsource-variable/noto-sans-kr', weight: 0 },
};
const emojiFace: Face = { package: '@fontsource/noto-color-emoji', weight: 400 };

/**
 * The faces for a text, the given one first, then every script, emoji last: first, it
 * would take digits and "#".
 */
function listFaces(face: Face, language: string): Face[] {
  const { ja, zh, ko } = hanFaces;
  // Han glyph shapes come from the first font that has them.
  const han = language.startsWith('zh')
    ? [zh, ja, ko]
    : language.startsWith('ko')
      ? [ko, ja, zh]
      : [ja, zh, ko];
  return [
    face,
    ...(face.weight >= 700 || isDisplay(face) ? heavyFallbacks : textFallbacks),
    ...han,
    emojiFace,
  ];
}

function isDisplay(face: Face): boolean {
  return face.package === '@fontsource/anton';
}

const emojiSequence = /^\p{RGI_Emoji}$/v;

/** True for graphemes of emoji only: a bare digit or "#" is text, "❤" with U+FE0F is not. */
export function isEmoji(grapheme: string): boolean {
  return emojiSequence.test(grapheme);
}

/**
 * Loads the font files that the text needs and returns their CSS font list, with the graphemes that no font
 * here has. Skia always falls back to the machine's fonts, so coverage is read from the packages, not from
 * the canvas.
 */
export async function prepareFonts(
  text: string,
  face: Face,
  language: string,
): Promise<{ family: string; missing: string[] }> {
  const faces = listFaces(face, language);
  const used = new Set<Face>([face]);
  const missing = new Set<string>();
  const files = new Map<string, string>();
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'grapheme' }).segment(text)) {
    if (isEmoji(segment)) {
      used.add(emojiFace);
      continue;
    }
    for (const char of segment) {
      if (/^(?:\s|\p{Cf}|\ufe0e|\ufe0f)$/u.test(char)) continue;
      const found = findSubset(faces, char.codePointAt(0)!);
      // A letter without a mark that no font has can be read.
      if (!found) missing.add(/\p{M}/u.test(char) ? char : segment);
      else {
        used.add(found.face);
        files.set(found.path, aliasOf(found.face));
      }
    }
  }
  if (used.has(emojiFace)) files.set(emojiPath(), aliasOf(emojiFace));
  await registerFiles(files);
  const family = faces.filter(candidate => used.has(candidate)).map(candidate => `"${aliasOf(candidate)}"`);
  return { family: family.join(', '), missing: [...missing] };
}

function findSubset(faces: readonly Face[], codePoint: number): { face: Face; path: string } | null {
  for (const face of faces) {
    if (face === emojiFace) continue;
    const family = loadFamily(face.package);
    for (const subset of family.subsets) {
      if (!subset.ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) continue;
      const path = pathOf(family, subset, face);
      if (readCoverage(path).has(codePoint)) return { face, path };
    }
  }
  // "✈" and "❤" are emoji even without U+FE0F where no face of text has them.
  const isPicture = /\p{Emoji}/u.test(String.fromCodePoint(codePoint));
  return isPicture ? { face: emojiFace, path: emojiPath() } : null;
}

function loadFamily(packageName: string): Family {
  const known = families.get(packageName);
  if (known) return known;
  const unicodePath = require.resolve(`${packageName}/unicode.json`);
  const unicode = JSON.parse(readFileSync(unicodePath, 'utf8')) as Record<string, string>;
  const family = {
    folder: join(dirname(unicodePath), 'files'),
    file: packageName.split('/')[1]!,
    subsets: Object.entries(unicode).map(([name, ranges]) => ({
      name: name.replace(/[[\]]/g, ''),
      ranges: ranges.split(',').map(readRange),
    })),
  };
  families.set(packageName, family);
  return family;
}

function readRange(range: string): [number, number] {
  const [from, to] = range.replace(/^U\+/i, '').split('-') as [string, string?];
  return [Number.parseInt(from, 16), Number.parseInt(to ?? from, 16)];
}

function pathOf(family: Family, subset: Subset, face: Face): string {
  const style = face.weight === 0 ? 'wght' : String(face.weight);
  return join(family.folder, `${family.file}-${subset.name}-${style}-normal.woff2`);
}

function emojiPath(): string {
  // The numbered subsets contain SVG glyphs, which Skia draws blank; this one contains COLRv1.
  const { folder } = loadFamily(emojiFace.package);
  return join(folder, 'noto-color-emoji-emoji-400-normal.woff2');
}

/**
 * One alias per family and weight: a family without a weight for some script would fall back to a font of the
 * machine.
 */
function aliasOf(face: Face): string {
  return `Hookline ${face.package.split('/')[1]} ${face.weight}`;
}

async function registerFiles(files: ReadonlyMap<string, string>): Promise<void> {
  const { GlobalFonts } = await loadCanvas();
  for (const [path, alias] of files) {
    if (registered.has(path)) continue;
    if (!GlobalFonts.registerFromPath(path, alias)) throw new Error(`font file not readable: ${path}`);
    registered.set(path, alias);
  }
}

/**
 * Notices fonts that another thread has released, as fonts belong to the process. Once a deck: it reads the
 * list of all families of the machine.
 */
export async function forgetReleasedFonts(): Promise<void> {
  if (registered.size === 0) return;
  const { GlobalFonts } = await loadCanvas();
  const known = new Set(GlobalFonts.families.map(({ family }) => family));
  if ([...registered.values()].some(alias => !known.has(alias))) registered.clear();
}

/** Releases the memory of every font, 25 MB with the emoji; the next text reloads what it needs. */
export async function releaseFonts(): Promise<void> {
  if (registered.size === 0) return;
  const { GlobalFonts } = await loadCanvas();
  registered.clear();
  GlobalFonts.removeAll();
}
