// Renders a deck as headless Chromium screenshots: HTML set per slide, in one page kept open or, with
// `--launch`, in a browser started for the deck. One deck per line on stdin.
import { createInterface } from 'node:readline';
import puppeteer from 'puppeteer-core';

const [width, height] = [1080, 1920];
const quality = 88;
const [executablePath, mode] = process.argv.slice(2);
const isLaunchedPerDeck = mode === '--launch';

async function openPage() {
  const browser = await puppeteer.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--font-render-hinting=none'],
  });
  const page = await browser.newPage();
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  return { browser, page };
}

const toHtml = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const slidePage = ({ text, mark }, isCover) => `<!doctype html><style>
  body { margin: 0; width: ${width}px; height: ${height}px; padding: 96px; box-sizing: border-box; display: flex;
    flex-direction: column; justify-content: center; background: linear-gradient(160deg, #f6f1e7, #e9dfcc);
    color: #22201c; font-family: sans-serif }
  .mark { font-size: 40px; margin-bottom: 48px }
  .text { font-size: ${isCover ? 112 : 84}px; font-weight: 800; line-height: 1.15 }
  .rule { width: 160px; height: 12px; margin-top: 64px; background: #c2542d }
</style><div class="mark">${toHtml(mark)}</div><div class="text">${toHtml(text)}</div><div class="rule"></div>`;

async function renderDeck(page, slides) {
  const slideMs = [];
  const bytes = [];
  for (const [index, slide] of slides.entries()) {
    const beganMs = performance.now();
    await page.setContent(slidePage(slide, index === 0));
    bytes.push((await page.screenshot({ type: 'jpeg', quality })).length);
    slideMs.push(performance.now() - beganMs);
  }
  return { slideMs, bytes, sizes: bytes.map(() => `${width}x${height}`) };
}

const kept = isLaunchedPerDeck ? null : await openPage();
for await (const line of createInterface({ input: process.stdin })) {
  const { browser, page } = kept ?? (await openPage());
  const deck = await renderDeck(page, JSON.parse(line));
  if (!kept) await browser.close();
  console.log(JSON.stringify(deck));
}
await kept?.browser.close();
