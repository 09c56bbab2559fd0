import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type AppStores, createAppStores } from './stores.ts';
import type { StoreListingRef } from './url.rules.ts';

let server: Server | null = null;
const requested: string[] = [];

async function serve(listener: RequestListener): Promise<string> {
  server = createServer((req, res) => {
    requested.push(req.url ?? '');
    listener(req, res);
  });
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const appleRef: StoreListingRef = { store: 'apple', storeId: '9990000023', country: 'de', language: null };
const playRef: StoreListingRef = {
  store: 'google',
  storeId: 'io.sprigly.plants',
  country: 'us',
  language: null,
};
const opened: AppStores[] = [];
function read(base: string, ref: StoreListingRef) {
  const addresses = [{ url: base, isShared: false }];
  const stores = createAppStores({ apple: addresses, google: addresses });
  opened.push(stores);
  return stores.readListing(ref, base, AbortSignal.timeout(10_000));
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map(stores => stores.close()));
  server?.closeAllConnections();
  await new Promise(resolve => (server ? server.close(resolve) : resolve(null)));
  server = null;
  requested.length = 0;
});

const vorratz = {
  wrapperType: 'software',
  trackId: 9990000023,
  trackName: 'Vorratz: Wochenplan & Einkauf',
  description: 'Was koche ich heute?\nVorratz hilft.',
  artworkUrl100: 'https://is1.example/100.png',
  primaryGenreName: 'Food & Drink',
  averageUserRating: 4.5,
  userRatingCount: 12,
  screenshotUrls: ['https://is1-ssl.mzstatic.com/image/thumb/Purple/v4/a4/Screen_1.png/392x696bb.png'],
  ipadScreenshotUrls: ['https://is1.example/ipad.png'],
  artistName: 'Kleine Küche GmbH',
  trackViewUrl: 'https://apps.apple.com/de/app/id9990000023',
};

describe('readListing from the App Store', () => {
  it('readListing reads a lookup typed text/javascript', async () => {
    const base = await serve((_, res) => {
      res.setHeader('content-type', 'text/javascript; charset=utf-8');
      res.end(`\n\n${JSON.stringify({ resultCount: 1, results: [vorratz] })}`);
    });
    const reading = await read(base, appleRef);
    expect(requested).toEqual(['/lookup?id=9990000023&country=de&entity=software']);
    expect(reading).toMatchObject({
      ok: true,
      listing: {
        name: 'Vorratz: Wochenplan & Einkauf',
        category: 'Food & Drink',
        country: 'de',
        iconUrl: 'https://is1.example/100.png',
        screenshots: [
          'https://is1-ssl.mzstatic.com/image/thumb/Purple/v4/a4/Screen_1.png/1080x0w.png',
          'https://is1.example/ipad.png',
        ],
        rating: 4.5,
      },
    });
  });

  it('readListing sends one request and answers not_found for an app that the storefront does not have', async () => {
    const base = await serve((_, res) => res.end('{"resultCount":0,"results":[]}'));
    expect(await read(base, appleRef)).toMatchObject({ ok: false, error: 'not_found' });
    expect(requested.map(url => new URL(url, base).searchParams.get('country'))).toEqual(['de']);
  });

  it('a language that Apple refuses is left out; a storefront that it refuses does not have the app', async () => {
    const base = await serve((req, res) => {
      const { searchParams } = new URL(req.url ?? '', 'http://store');
      if (searchParams.has('lang') || searchParams.get('country') === 'uk') {
        res.writeHead(400).end('{"errorMessage":"Invalid value(s) for key(s): [lang]"}');
      } else res.end(JSON.stringify({ results: [vorratz] }));
    });
    const reading = await read(base, { ...appleRef, language: 'zh-Hans' });
    expect(reading).toMatchObject({ ok: true, listing: { addressLanguage: null } });
    expect(requested).toHaveLength(2);
    expect(await read(base, { ...appleRef, country: 'uk' })).toMatchObject({ error: 'not_found' });
  });

  it('readListing does not mistake another app for this one', async () => {
    const base = await serve((_, res) => res.end(JSON.stringify({ results: [{ ...vorratz, trackId: 1 }] })));
    expect(await read(base, appleRef)).toMatchObject({ ok: false, error: 'not_found' });
  });

  it.each([
    ['not JSON', '<html>busy</html>'],
    ['no results', '{"resultCount":1}'],
    ['null', 'null'],
    ['no name', JSON.stringify({ results: [{ ...vorratz, trackName: 7 }] })],
  ])('calls %s garbage', async (_, body) => {
    const base = await serve((_req, res) => res.end(body));
    expect(await read(base, appleRef)).toMatchObject({ ok: false, error: 'garbage' });
  });

  it.each([403, 429, 500, 503])('unavailable for HTTP %i', async status => {
    const base = await serve((_, res) => res.writeHead(status).end());
    expect(await read(base, appleRef)).toMatchObject({ ok: false, error: 'unavailable' });
  });
});

const playPage = `<!doctype html><html><head>
<meta property="og:title" content="Sprigly: Plant Care - Apps on Google Play">
<meta property="og:image" content="https://play-lh.example/icon">
<script type="application/ld+json">{broken</script>
<script type="application/ld+json" nonce="x">{"@context":"https://schema.org","@type":"SoftwareApplication","name":"Sprigly: Plant Care &amp; Watering",
"url":"https://play.google.com/store/apps/details?id=io.sprigly.plants","description":"Stop guessing when to water.","applicationCategory":"HOUSE_AND_HOME",
"image":"https://play-lh.example/ld","author":{"@type":"Person","name":"Sprigly Inc."},"aggregateRating":{"ratingValue":"4.25","ratingCount":"118"}}</script>
</head><body><div data-g-id="description">Stop guessing.<br><br>* WATER: Get a <b>schedule</b> &amp; keep it.<br>* SHARE: One link.</div>
<img src="https://play-lh.googleusercontent.com/similar=s64-rw" alt="Thumbnail image">
<button><img src="https://play-lh.googleusercontent.com/b_-2=w526-h296-rw" alt="Screenshot image" data-screenshot-index="1"></button>
<img src="https://play-lh.googleusercontent.com/a1=w526-h296" srcset="https://play-lh.googleusercontent.com/a1=w1052-h592 2x" data-screenshot-index="0">
<img data-src="https://play-lh.googleusercontent.com/late?a=1&amp;b=2" data-screenshot-index="10">
<img src="https://play-lh.googleusercontent.com/a1=s1" data-screenshot-index="2">
<img src="data:image/gif;base64,R0lGOD" data-screenshot-index="3"><img data-screenshot-index="x">
</body></html>`;

describe('readListing from Google Play', () => {
  it('readListing reads JSON-LD, ratings as text, and the full description', async () => {
    const base = await serve((_, res) => res.end(playPage));
    const reading = await read(base, playRef);
    expect(requested).toEqual(['/store/apps/details?id=io.sprigly.plants&hl=en&gl=US']);
    expect(reading).toMatchObject({
      ok: true,
      listing: {
        name: 'Sprigly: Plant Care & Watering',
        summary: 'Stop guessing when to water.',
        description: 'Stop guessing.\n\n* WATER: Get a schedule & keep it.\n* SHARE: One link.',
        category: 'HOUSE_AND_HOME',
        developer: 'Sprigly Inc.',
        rating: 4.25,
        ratingCount: 118,
      },
    });
  });

  it("readListing reads only the app's screenshots, in their order and in full size", async () => {
    const base = await serve((_, res) => res.end(playPage));
    const reading = await read(base, playRef);
    expect(reading.ok && reading.listing.screenshots).toEqual([
      'https://play-lh.googleusercontent.com/a1=w1080-h1920',
      'https://play-lh.googleusercontent.com/b_-2=w1080-h1920',
      'https://play-lh.googleusercontent.com/late?a=1&b=2',
    ]);
  });

  it('readListing falls back to the meta tags', async () => {
    const base = await serve((_, res) => res.end(playPage.replaceAll('ld+json', 'other')));
    expect(await read(base, playRef)).toMatchObject({ ok: true, listing: { name: 'Sprigly: Plant Care' } });
    server?.close();
    const japanese = playPage
      .replaceAll('ld+json', 'other')
      .replace('Apps on Google Play', 'Google Play のアプリ');
    const there = await serve((_, res) => res.end(japanese));
    expect(await read(there, playRef)).toMatchObject({ ok: true, listing: { name: 'Sprigly: Plant Care' } });
  });

  it('not_found on 404; garbage for a page without an app', async () => {
    const gone = await serve((_, res) => res.writeHead(404).end('gone'));
    expect(await read(gone, playRef)).toMatchObject({ ok: false, error: 'not_found' });
    server?.close();
    const consent = await serve((_, res) => res.end('<html><body>Before you continue</body></html>'));
    expect(await read(consent, playRef)).toMatchObject({ ok: false, error: 'garbage' });
  });

  it('readListing follows no redirect to another host, and at most two within one', async () => {
    const away = await serve((_, res) => res.writeHead(302, { location: 'http://localhost:9/' }).end());
    expect(await read(away, playRef)).toMatchObject({
      error: 'unavailable',
      detail: 'redirected to another host',
    });
    server?.close();
    const loop = await serve((_, res) => res.writeHead(302, { location: '/again' }).end());
    expect(await read(loop, playRef)).toMatchObject({ error: 'unavailable', detail: 'too many redirects' });
  });

  it('unavailable, not not_found, when a redirect leads to a 404', async () => {
    const base = await serve(({ url }, res) =>
      res.writeHead(url === '/elsewhere' ? 404 : 302, { location: '/elsewhere' }).end(),
    );
    expect(await read(base, playRef)).toMatchObject({ ok: false, error: 'unavailable' });
  });

  it.each([
    ['', '</span>'],
    [', its elements never closed', ''],
  ])('garbage for a page that is nested too deeply to be read%s', async (_, end) => {
    const [open, close] = ['<span>', end].map(tag => tag.repeat(40_000));
    const page = `<meta property="og:title" content="X"><div data-g-id="description">${open}x${close}</div>`;
    const base = await serve((_, res) => res.end(page));
    expect(await read(base, playRef)).toMatchObject({ ok: false, error: 'garbage' });
  });

  it('a page of comments that are never closed is read within 2 s', async () => {
    const comments = '<!--'.repeat(600_000);
    const page = `<meta property="og:title" content="X"><!-- ${comments} --><p>${comments}`;
    const base = await serve((_, res) => res.end(page));
    const began = performance.now();
    expect(await read(base, playRef)).toMatchObject({ ok: true, listing: { name: 'X' } });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('readListing stops after 5 MB', async () => {
    const base = await serve((_, res) => res.end('x'.repeat(6 * 1024 * 1024)));
    expect(await read(base, playRef)).toMatchObject({ ok: false, error: 'garbage' });
  });

  it('unavailable for a dead port', async () => {
    expect(await read('http://127.0.0.1:9', playRef)).toMatchObject({ ok: false, error: 'unavailable' });
  });
});
