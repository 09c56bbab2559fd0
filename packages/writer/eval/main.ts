// npm run gallery: writes, draws and judges a deck for every sample listing, archetype and closing mode, and
// builds a page of them. `--covers` draws soft decks only; `--sheet` regenerates the pictures in docs: the
// contact sheet and the deck of the README; `--text` prints the decks and draws nothing. `--tuned`, `--fresh`
// and `--later` use the listings with two topics each (docs/writing.md), three decks per listing, and so do
// `--messy`, `--unseen` and `--last`; `--judge` has them read by the embedding and by LanguageTool. `--last
// --sheet` updates the contact sheet of those apps. `--recorded` has the decks of `--unseen`, `--last` or
// `--later` written from the recorded answers of a large model, as the product would; a question that has no
// answer is kept in `.data/questions`.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readAnswers } from './answers/serve.ts';
import { composeAll, composeTopics, drawDeck, type GalleryDeck, type Listing, writeTopics } from './decks.ts';
import { isHookFromListing } from './judge.ts';
import { judgePictures } from './judge-pictures.ts';
import { judgeGrammar, judgeMeaning } from './judges/read-decks.ts';
import { type ShownDeck, writePage } from './page.ts';
import { drawContactSheet, shrinkSlide } from './thumbnails.ts';

const options = new Set(process.argv.slice(2));
const set = ['tuned', 'fresh', 'later', 'messy', 'unseen', 'last'].find(name => options.has(`--${name}`));
const data = new URL('./listings/', import.meta.url);
const isRecorded = options.has('--recorded');
const name = `${set ?? 'gallery'}${isRecorded ? '-model' : ''}`;
const folder = new URL(`../../../.data/${set ? `gallery-${name}` : name}/`, import.meta.url);
const questions = new URL('../../../.data/questions/', import.meta.url);
const sheetFile = new URL(`../../../docs/${name}.jpg`, import.meta.url);
const deckFile = new URL('../../../docs/deck.jpg', import.meta.url);

const file = `${set ?? 'sample'}.json`;
/** Eighteen slides in a row. */
const smallWidth = 72;
const listings = JSON.parse(await readFile(new URL(file, data), 'utf8')) as Listing[];
const all = await writeAll();
const decks = options.has('--covers') ? all.filter(({ deck }) => deck.ctaMode === 'soft') : all;
if (options.has('--text')) for (const deck of decks) printDeck(deck);
else if (!options.has('--judge')) await drawGallery();
if (options.has('--judge')) {
  for (const line of await judgeMeaning(decks)) console.log(line);
  const matches = await judgeGrammar(decks);
  console.log(`LanguageTool: ${matches.length} matches in ${decks.length} decks`);
  for (const match of matches) console.log(`  ${match}`);
}
for (const line of summarise(decks)) console.log(line);
process.exitCode = decks.some(({ judgements }) => judgements.some(({ fault }) => fault)) ? 1 : 0;

async function writeAll(): Promise<GalleryDeck[]> {
  if (!set) return composeAll(listings, 'gallery');
  if (!isRecorded) return composeTopics(listings, set);
  const written = await writeTopics(listings, set, readAnswers(set), fileURLToPath(questions));
  const { decks, atOnce, repaired, failed, broken, missing } = written;
  console.log(
    `${atOnce} decks at once, ${repaired} repaired, ${failed.length} failed; ${missing.length} questions without an answer`,
  );
  for (const line of broken) console.log(`  broken: ${line}`);
  for (const line of failed) console.log(`  failed: ${line}`);
  return decks;
}

async function drawGallery(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const shown: ShownDeck[] = [];
  const rows: Buffer[][] = [];
  for (const [i, deck] of decks.entries()) {
    const slides = await drawDeck(deck);
    deck.judgements.push(...(await judgePictures(deck, slides)));
    const thumbnails = await Promise.all(slides.map(slide => shrinkSlide(slide, 400)));
    const names = thumbnails.map((_, slide) => `${i}-${slide}.jpg`);
    await Promise.all(names.map((name, slide) => writeFile(new URL(name, folder), thumbnails[slide]!)));
    shown.push({ ...deck, thumbnails: names });
    const app = listings.findIndex(({ name }) => name === deck.request.app.name);
    if (set) {
      // A row for each app: its decks side by side.
      rows[app] = [...(rows[app] ?? []), ...thumbnails];
      continue;
    }
    // The sheet shows one deck per app and cycles through the archetypes.
    const perApp = decks.length / listings.length;
    const isOnSheet = deck.deck.ctaMode === 'soft' && Math.floor(((i % perApp) * 5) / perApp) === app % 5;
    if (isOnSheet) rows.push(thumbnails);
  }
  await writeFile(new URL('index.html', folder), writePage(shown, summarise(decks)));
  const sheet = await drawContactSheet(rows, set ? smallWidth : undefined);
  await writeFile(new URL('sheet.jpg', folder), sheet);
  if (options.has('--sheet')) {
    await writeFile(sheetFile, sheet);
    if (!set) await writeFile(deckFile, await drawContactSheet(rows.slice(-1), 196));
  }
  console.log(`page: ${fileURLToPath(new URL('index.html', folder))}`);
}

function printDeck({ request, deck, judgements }: GalleryDeck): void {
  const { result, archetype, ctaMode } = deck;
  const about = [archetype, ctaMode, request.brief.topic ?? 'no topic'].join(', ');
  console.log(`\n${request.app.name} (${about})\n  ${result.hook}`);
  for (const { text } of result.bodySlides) console.log(`    ${text}`);
  console.log(`  soft: ${result.ctaSoft}\n  direct: ${result.ctaHard}`);
  console.log(`  ${result.caption} ${result.hashtags.join(' ')}`);
  for (const { question, fault } of judgements) if (fault) console.log(`  FAULT ${question}: ${fault}`);
}

function summarise(judged: readonly GalleryDeck[]): string[] {
  const faulty = judged.filter(({ judgements }) => judgements.some(({ fault }) => fault !== null));
  const asked = judged.reduce((sum, { judgements }) => sum + judgements.length, 0);
  const faults = judged.flatMap(({ judgements }) => judgements.filter(({ fault }) => fault !== null));
  const byQuestion = Object.entries(Object.groupBy(faults, ({ question }) => question));
  const anchored = judged.filter(({ request, deck }) => isHookFromListing(request, deck.result.hook)).length;
  return [
    `${judged.length} decks of ${new Set(judged.map(({ request }) => request.app.name)).size} apps, ${asked} questions, ${faults.length} faults in ${faulty.length} decks`,
    ...byQuestion.map(([question, own]) => `question ${question}: ${own!.length} faults`),
    `${anchored} hooks share a word with their listing`,
  ];
}
