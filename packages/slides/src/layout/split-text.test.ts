import { describe, expect, it } from 'vitest';
import { signText, splitText } from './split-text.ts';

const shown = (kind: 'cover' | 'body', text: string) =>
  splitText(kind, text).map(part => `${part.role}: ${part.text}`);

describe('splitText', () => {
  it.each([
    ['body', 'Rest days that do not break your streak', ['large: Rest days that do not break your streak']],
    ['body', 'Rest timer: starts by itself.', ['lead: Rest timer:', 'large: starts by itself.']],
    [
      'body',
      'Film every wall. Send the video to yourself, so that it has a date nobody can argue with.',
      [
        'lead: Film every wall.',
        'small: Send the video to yourself, so that it has a date nobody can argue with.',
      ],
    ],
    [
      'body',
      'Comment ça marche ? Vous indiquez vos dates : les voisins disponibles répondent.',
      ['lead: Comment ça marche ?', 'large: Vous indiquez vos dates : les voisins disponibles répondent.'],
    ],
    [
      'body',
      'هل تنسى أدويتك؟ اكتب كل دواء مع وقته، ثم اختر من يذكرك به كل صباح ومساء.',
      ['lead: هل تنسى أدويتك؟', 'small: اكتب كل دواء مع وقته، ثم اختر من يذكرك به كل صباح ومساء.'],
    ],
    ['body', 'रोज़ लिखें। एक पंक्ति काफ़ी है।', ['lead: रोज़ लिखें।', 'large: एक पंक्ति काफ़ी है।']],
    [
      'body',
      'Versicherung wechseln, bevor die Frist am 30. November abläuft.',
      ['large: Versicherung wechseln, bevor die Frist am 30. November abläuft.'],
    ],
    [
      'cover',
      "Wind, rain and temperature for every point on the route at the time you'll be there",
      ["small: Wind, rain and temperature for every point on the route at the time you'll be there"],
    ],
    [
      'cover',
      'The village of Lantern Hollow has lost its words, and only you can light them up again',
      [
        'hook: The village of Lantern Hollow has lost its words,',
        'small: and only you can light them up again',
      ],
    ],
    [
      'cover',
      'A quiet review of the day in the presence of God, as St. Ignatius taught it, each evening',
      [
        'hook: A quiet review of the day in the presence of God,',
        'small: as St. Ignatius taught it, each evening',
      ],
    ],
    [
      'cover',
      'Pouchnote is a free and discreet diary for people who live with an ileostomy, colostomy or urostomy',
      [
        'small: Pouchnote is a free and discreet diary for people who live with an ileostomy, colostomy or urostomy',
      ],
    ],
    ['cover', '眠れない夜にやめてよかった5つのこと', ['hook: 眠れない夜にやめてよかった5つのこと']],
    [
      'cover',
      '「単語帳を買っても三日でやめてしまう」そんな人のために作った、毎日5分だけの英単語アプリです',
      [
        'hook: 「単語帳を買っても三日でやめてしまう」',
        'small: そんな人のために作った、毎日5分だけの英単語アプリです',
      ],
    ],
  ] as const)('%s: %s', (kind, text, parts) => {
    expect(shown(kind, text)).toEqual(parts);
  });

  it('shows at most 14 words large, and every word once', () => {
    const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
    for (const mark of ['', '.', ':', ',']) {
      for (let at = 0; at < words.length; at++) {
        const text = words.map((word, i) => (i === at ? word + mark : word)).join(' ');
        for (const kind of ['cover', 'body', 'closing'] as const) {
          const parts = splitText(kind, text);
          expect(parts.map(part => part.text).join(' ')).toBe(text);
          const large = parts.filter(({ role }) => role !== 'small').flatMap(part => part.text.split(' '));
          expect(large.length).toBeLessThanOrEqual(14);
        }
      }
    }
  });
});

describe('signText', () => {
  const app = { name: 'Pebblo', store: 'App Store' };
  const signed = (text: string) =>
    signText(text, { app, brand: { handle: '@pebblo' } }).map(part =>
      part.text.replace(/[\u2066\u2069]/g, ''),
    );

  it.each([
    ['Pebblo – Tiny Habits · App Store', ['Pebblo', 'Tiny Habits', 'App Store', '@pebblo']],
    ['PEBBLO · App Store', ['Pebblo', 'App Store', '@pebblo']],
    ['Pebblo keeps count.', ['Pebblo', 'Pebblo keeps count.', 'App Store', '@pebblo']],
    ['Get Pebblo on the App Store.', ['Pebblo', 'Get Pebblo on the App Store.', '@pebblo']],
  ])('%s', (text, lines) => {
    expect(signed(text)).toEqual(lines);
  });
});
