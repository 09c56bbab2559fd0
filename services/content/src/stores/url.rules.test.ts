import { describe, expect, it } from 'vitest';
import { parseStoreUrl } from './url.rules.ts';

const apple = (storeId: string, country = 'us', language: string | null = null) => ({
  ok: true,
  store: 'apple',
  storeId,
  country,
  language,
});
const google = (storeId: string, country = 'us', language: string | null = null) => ({
  ...apple(storeId, country, language),
  store: 'google',
});

describe('parseStoreUrl', () => {
  it.each([
    ['https://apps.apple.com/us/app/pebblo/id9990000011', apple('9990000011')],
    ['https://apps.apple.com/app/id9990000011', apple('9990000011')],
    ['https://apps.apple.com/de/app/id9990000023', apple('9990000023', 'de')],
    ['https://itunes.apple.com/jp/app/%E3%82%B3/id9990000037?mt=8', apple('9990000037', 'jp')],
    ['https://apps.apple.com/ch-fr/app/x/id1?l=fr&ppid=9', apple('1', 'ch', 'fr')],
    ['https://play.google.com/store/apps/details?id=app.coinbarn.budget', google('app.coinbarn.budget')],
    ['https://play.google.com/store/apps/details?id=a.B_c.D&hl=es&gl=ES', google('a.B_c.D', 'es', 'es')],
    ['https://play.google.com/store/apps/details/Sprigly?id=io.sprigly.plants', google('io.sprigly.plants')],
    ['market://details?id=io.sprigly.plants', google('io.sprigly.plants')],
    ['market://details?id=io.sprigly.plants&referrer=utm_source%3Dx', google('io.sprigly.plants')],
    [
      'https://apps.apple.com/de/app/vorratz-wochenplan/id9990000023?mt=8&platform=iphone&uo=4',
      apple('9990000023', 'de'),
    ],
    ['https://apps.apple.com/us/app/id-photo-id12/id9990000011#reviews', apple('9990000011')],
    ['https://APPS.apple.com/US/app/x/id9990000011/', apple('9990000011')],
    ['https://apps.apple.com/us/app/x/id9990000011/?l=%22%3E', apple('9990000011')],
    ['  https://apps.apple.com/us/app/x/id9990000011  ', apple('9990000011')],
    ['https://itunes.apple.com/app/id9990000011', apple('9990000011')],
    [
      'https://play.google.com/store/apps/details?pcampaignid=web_share&id=io.sprigly.plants&gl=xyz&hl=../',
      google('io.sprigly.plants'),
    ],
    [
      'https://play.google.com/store/apps/details?id=io.sprigly.plants&id=other.app',
      google('io.sprigly.plants'),
    ],
  ])('reads %s', (url, expected) => expect(parseStoreUrl(url)).toEqual(expected));

  it.each([
    'https://apps.apple.com.example.com/us/app/x/id1',
    'https://apps-apple.com/us/app/x/id1',
    'https://apps.apple.com@example.com/us/app/x/id1',
    'https://user:pass@apps.apple.com/us/app/x/id1',
    'https://apps.apple.com:8443/us/app/x/id1',
    'http://apps.apple.com/us/app/x/id1',
    'https://apps.apple.com./us/app/x/id1',
    'https://apps.аpple.com/us/app/x/id1',
    'https://apps.apple.com/us/developer/x/id1',
    'https://apps.apple.com/us/app-bundle/x/id1',
    'https://apps.apple.com/us/story/id1',
    'https://apps.apple.com/us/app/x',
    'https://play.google.com/store/apps/dev?id=1',
    'https://play.google.com/store/books/details?id=a.b',
    'https://play.google.com/store/apps/details?id=single',
    'https://play.google.com/store/apps/details?id=a.b/../../x',
    'https://127.0.0.1/app/id1',
    'https://play.google.com.example.com/store/apps/details?id=a.b',
    'https://play.google.com@127.0.0.1/store/apps/details?id=a.b',
    'https://play.google.com./store/apps/details?id=a.b',
    'https://play.google.com:444/store/apps/details?id=a.b',
    'http://play.google.com/store/apps/details?id=a.b',
    'https://www.apps.apple.com/us/app/x/id1',
    'https://example.com/?u=https://apps.apple.com/us/app/x/id1',
    'https://example.com#@apps.apple.com/us/app/x/id1',
    'https://example.com\\\\@apps.apple.com/us/app/x/id1',
    'https://apps。apple。com.example.com/us/app/x/id1',
    'market://search?q=plants',
    'market://details.example.com?id=a.b',
    'intent://details?id=a.b',
    'file:///etc/passwd',
    `https://apps.apple.com/us/app/${'x'.repeat(2048)}/id1`,
    'javascript:alert(1)',
    'not a url',
    '',
  ])('refuses %s with a reason', url => {
    const reading = parseStoreUrl(url);
    expect(reading.ok).toBe(false);
    expect(reading).toHaveProperty('reason', expect.stringMatching(/^must /));
  });
});
