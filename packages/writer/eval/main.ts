// npm run gallery: writes, draws and judges a deck for every sample listing and builds a page of them. `--text` prints
// the decks and draws nothing; `--sheet` regenerates the deck of the README.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { composeAll, drawDeck, type GalleryDeck, type Listing } from './decks.ts';
import { judgePictures } from './judge-pictures.ts';
import { type ShownDeck, writePage } from './page.ts';
import { drawContactSheet, shrinkSlide } from './thumbnails.ts';

const options = new Set(process.argv.slice(2));
const data = new URL('./listings/', import.meta.url);
const folder = new URL('../../../.data/gallery/', import.meta.url);
const deckFile = new URL('../../../docs/deck.jpg', import.meta.url);

const listings = (await Promise.all(['sample', 'messy', 'makers'].map(readListings))).flat();
const decks = composeAll(listings);
if (options.has('--text')) for (const deck of decks) printDeck(deck);
else await drawGallery();
for (const line of summarise(decks)) console.log(line);
process.exitCode = decks.some(({ judgements }) => judgements.some(({ fault }) => fault)) ? 1 : 0;

async function readListings(file: string): Promise<Listing[]> {
  return JSON.parse(await readFile(new URL(`${file}.json`, data), 'utf8')) as Listing[];
}

async function drawGallery(): Promise<void> {
  console.log(`Drawing ${decks.length} decks and asking about their pictures ...`);
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
    rows.push(thumbnails);
  }
  await writeFile(new URL('index.html', folder), writePage(shown, summarise(decks)));
  const sheet = await drawContactSheet(rows);
  await writeFile(new URL('sheet.jpg', folder), sheet);
  if (options.has('--sheet')) {
    await writeFile(deckFile, await drawContactSheet(rows.slice(0, 1), 196));
  }
  console.log(`page: ${fileURLToPath(new URL('index.html', folder))}`);
}

function printDeck({ request, deck, judgements }: GalleryDeck): void {
  const { result, archetype, ctaMode } = deck;
  const about = [archetype, ctaMode, request.brief.topic ?? 'no topic', deck.notice ?? 'no notice'].join(
    ', ',
  );
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
  return [
    `${judged.length} decks of ${new Set(judged.map(({ request }) => request.app.name)).size} apps, ${asked} questions, ${faults.length} faults in ${faulty.length} decks`,
    ...byQuestion.map(([question, own]) => `question ${question}: ${own!.length} faults`),
  ];
}
