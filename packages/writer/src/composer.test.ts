import { readFileSync } from 'node:fs';
import { compileAvoidedWords, findPromisedCount } from '@hookline/deck';
import { archetypes, type Brief, ctaModes } from '@hookline/shared/contracts/brief';
import { describe, expect, it } from 'vitest';
import fillers from '../data/fillers.json' with { type: 'json' };
import { type Listing, sourceOf } from '../eval/decks.ts';
import { judgeDeck } from '../eval/judge.ts';
import { findAvoidedWord } from './avoided-words.ts';
import { guardBrief } from './brief-guard.ts';
import { composeDeck, composer } from './composer.ts';
import { extractMaterial, type MaterialSource } from './listing/material.ts';
import { type WriteRequest, WritingRefused } from './port.ts';
import { writeSeedHooks } from './seed-hooks.ts';

const read = (file: string) =>
  (
    JSON.parse(readFileSync(new URL(`../eval/listings/${file}.json`, import.meta.url), 'utf8')) as Listing[]
  ).map(sourceOf);
const apps = [...read('sample'), ...read('messy'), ...read('makers')];
const named = (name: string) => apps.find(app => app.name.startsWith(name))!;
const zed: MaterialSource = { name: 'Zed', description: null, category: null, country: null, store: null };
const write = (app: MaterialSource, brief: Brief = {}, avoidWords: string[] = []) =>
  composeDeck({ seed: 'content_1', app, brief, avoidWords });
const bodiesOf = (app: MaterialSource, brief: Brief = {}) =>
  write(app, brief).result.bodySlides.map(({ text }) => text);

/** Every fault of a deck that a script can find. */
function faultsOf(request: WriteRequest): string[] {
  return judgeDeck(request, composeDeck(request))
    .filter(({ fault }) => fault !== null)
    .map(({ about, fault }) => `${request.app.name} ${JSON.stringify(request.brief)} ${about}: ${fault}`);
}

describe('the built-in writer', () => {
  it('keeps archetype, closing, length and the order of the listing, in decks of 41 apps', () => {
    const faults = [...apps, zed].flatMap(app =>
      archetypes.flatMap(archetype =>
        ctaModes.flatMap(ctaMode =>
          [2, 5, 10].flatMap(slideCount =>
            faultsOf({ seed: 's', app, brief: { archetype, ctaMode, slideCount } }),
          ),
        ),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('says on a slide what the sentences of the cover leave of their paragraph', () => {
    const description =
      "A kitchen timer that shows the time in the size of your screen. Swipe up to start. That's it.";
    const { hook, bodySlides } = write({ ...zed, description }).result;
    expect(hook).toBe('A kitchen timer that shows the time in the size of your screen');
    expect(bodySlides[0]!.text).toBe("Swipe up to start. That's it.");
  });

  it.each([
    'It tells you one of three things:\nYou are off tomorrow.\nYou are on at eight.\nCall us.',
    'Fogline shows how the fridges of your town are right now:\n🟢 plenty\n🟡 getting low\n🧽 needs a wipe',
    'JAN you are behind\nAPR you start catching up\nJUL you run a power plant',
  ])('is shorter rather than say a part of a list: %s', list => {
    const description = `Fogline knows the bill.\n\n• Reads your meter by the photo you take of it\n• Shows what a day costs you\n\n${list}`;
    expect(bodiesOf({ ...zed, name: 'Fogline', description })).toEqual([
      'Reads your meter by the photo you take of it',
      'Shows what a day costs you',
    ]);
  });

  it('goes on from the cover with a sentence that needs it, and has no neutral one', () => {
    const description =
      'Fogline remembers where you parked, all by itself. And it warns you before the meter runs out.';
    const { hook, bodySlides } = write({ ...zed, name: 'Fogline', description }).result;
    expect([hook, ...bodySlides.map(({ text }) => text)]).toEqual([
      'Fogline remembers where you parked, all by itself',
      'And it warns you before the meter runs out',
    ]);
  });

  it('has the name for the cover of a listing of one sentence', () => {
    const { hook, bodySlides } = write({ ...zed, description: 'Zed is an egg timer with one knob.' }).result;
    expect([hook, bodySlides[0]!.text]).toEqual(['Zed', 'Zed is an egg timer with one knob']);
    const japanese = write({
      ...zed,
      description: '毎朝の習慣を続けるためのタイマー。三分から始められます。',
    });
    expect(japanese.result.bodySlides[0]!.text).toBe(
      '毎朝の習慣を続けるためのタイマー。三分から始められます。',
    );
  });

  it('reads a name and a listing whose letters and marks are apart as others', () => {
    const app = { ...zed, name: 'Café Léger – Santé', description: 'Café Léger vous aide.\n- Notez un café' };
    const apart = { ...app, name: app.name.normalize('NFD'), description: app.description.normalize('NFD') };
    expect(write(apart)).toEqual(write(app));
    expect(write({ ...zed, name: 'İlaç Saati' }).result.hashtags).toContain('#ilaçsaati');
  });

  it('opens with the name where every line lacks a subject', () => {
    const description = '• erinnert dich jeden Sonntag\n• zeigt, wie viel schon zusammen ist';
    const app = { ...zed, name: 'Kleingeld', description, language: 'de' };
    expect(write(app).result.hook).toBe('Kleingeld');
  });

  it('says nothing of a subtitle that is a claim', () => {
    const app = {
      ...zed,
      name: 'Zed: Lose 10 kg in 30 days',
      description: 'Zed counts what you eat.\n- Charts',
    };
    expect(JSON.stringify(write(app))).not.toContain('kg');
  });

  it('closes with a name of two sentences as it is', () => {
    expect(write({ ...zed, name: 'Traffic? No.' }).result.ctaSoft).toBe('Traffic? No.');
  });

  it('has a heading once in a deck', () => {
    const description =
      'Fogline is a diary.\n\nCE QUE VOUS POUVEZ NOTER\n• Douleurs, humeur\n• Pilule, anneau\n• Sommeil, peau';
    expect(bodiesOf({ ...zed, name: 'Fogline', description, language: 'fr' })).toEqual([
      'Ce que vous pouvez noter : Douleurs, humeur',
    ]);
  });

  it.each([1, 2, 5, 12, 20, 33, 40])('fills a given hook that promises %i', count => {
    const hook = count === 1 ? '1 rule for a calm week' : `${count} ways to use a lemon`;
    const briefs: Brief[] = [{ hook }, { hook, templateId: 'quote-card', ctaMode: 'none' }];
    const faults = [...apps, zed].flatMap(app =>
      briefs.flatMap(brief => faultsOf({ seed: 's', app, brief })),
    );
    expect(faults).toEqual([]);
  });

  it('opens with the opening line and goes on with the lines of the listing', () => {
    const { result, notice } = write(named('Feirinha'));
    expect(result).toEqual({
      hook: 'Chega de esquecer o leite!',
      hookOptions: expect.any(Array),
      bodySlides: [
        { text: 'A Feirinha é a lista de compras que a família inteira usa ao mesmo tempo' },
        { text: 'Lista compartilhada: quem está no mercado vê na hora o que você acrescentou em casa' },
        { text: 'Ordem dos corredores do seu supermercado' },
        { text: 'Repete a compra do mês com um toque' },
      ],
      ctaSoft: 'Feirinha – Lista de Compras · Google Play',
      ctaHard: 'Baixe Feirinha no Google Play.',
      caption: 'Chega de esquecer o leite! Feirinha – Lista de Compras',
      hashtags: ['#listadecompras', '#feirinha', '#shopping'],
    });
    expect(notice).toBeUndefined();
  });

  it('says what the app does before its lists, and no program of a list as if it were a use', () => {
    const description = `Awake at three?

Fogline has short exercises for people who lie awake at night. No account is needed.

PROGRAMS OF 14 DAYS
• Sleep through the night
• Speak in public

• Breathe along with a circle that grows and shrinks
• Write down in two lines what keeps you awake`;
    const { bodySlides } = write({ ...zed, name: 'Fogline', description }, { slideCount: 5 }).result;
    expect(bodySlides.map(({ text }) => text)).toEqual([
      'Fogline has short exercises for people who lie awake at night. No account is needed.',
      'Breathe along with a circle that grows and shrinks',
      'Write down in two lines what keeps you awake',
    ]);
  });

  it('shows one line of each list under its heading before two of any', () => {
    const description = `Learn to play with Fogline!

UKULELE TUNER
• Tunes soprano, concert and tenor ukuleles
• Works with the microphone or by ear

UKULELE LESSONS
• 64 short lessons, from holding it to fingerpicking
• Listens while you play and names the string that was off`;
    expect(bodiesOf({ ...zed, name: 'Fogline', description }, { slideCount: 4 })).toEqual([
      'Ukulele tuner: Tunes soprano, concert and tenor ukuleles · Works with the microphone or by ear',
      'Ukulele lessons: 64 short lessons, from holding it to fingerpicking',
    ]);
  });

  it.each([
    ['Wingbeat Bird Journal', 'en', '#birdjournal'],
    ['Nudge Me Later', 'en', '#nudgemelater'],
    ['Fit With Dad Body', 'en', '#fitwithdadbody'],
    ['Potager Partagé', 'fr', '#potagerpartagé'],
    ['Le Bon Bus', 'fr', '#lebonbus'],
    ['Kassenbon Scanner & Haushaltsbuch', 'de', '#kassenbonscanner #haushaltsbuch'],
    ['Kilter – Boulder Log (unofficial)', 'en', '#boulderlog #kilter'],
    ['Brot – Rezepte für den Ofen', 'de', '#rezepte #brot #ofen'],
    ['Klöppelbrief', 'de', '#klöppelbrief #kunstdesign', 'Kunst & Design'],
  ])('tags %s, %s, with %s first', (name, language, tags, category?: string) => {
    expect(
      write({ ...zed, name, language, category: category ?? zed.category }).result.hashtags.join(' '),
    ).toMatch(new RegExp(`^${tags}(?: |$)`));
  });

  it('captions a deck with its opening line and what that leaves of the name', () => {
    const captionOf = (name: string, description: string | null, language = 'en') =>
      write({ ...zed, name, description, language }).result.caption;
    const more = '\n\nFogline hums for as long as you need it to hum.';
    expect(captionOf('Fogline', `Sleep, little one. (And you too.)${more}`)).toBe(
      'Sleep, little one. (And you too.) Fogline',
    );
    expect(captionOf('Fogline: a bank in your pocket', `Fogline pays in any town.${more}`)).toBe(
      'Fogline pays in any town. A bank in your pocket',
    );
    expect(captionOf('Vinilo: discos', `Tus vinilos en el bolsillo.${more}`)).toBe(
      'Tus vinilos en el bolsillo. Vinilo – discos',
    );
    expect(captionOf('Barril: cachaça', `Cada barril vira uma ficha.${more}`)).toBe(
      'Cada barril vira uma ficha. Barril – cachaça',
    );
    expect(captionOf('Sapin : calendrier de Noël', null, 'fr')).toBe('Calendrier de Noël. Sapin');
    const given = { ...zed, description: more, language: 'en' };
    expect(write(given, { hook: 'Rain, but softer' }).result.caption).toBe('Rain, but softer. Zed');
    expect(write(given, { hook: 'Πότε θα βρέξει;' }).result.caption).toBe('Πότε θα βρέξει; Zed');
    const cover = '薬の飲み忘れを防ぐアプリです';
    expect(captionOf('おくすり', `${cover}。\n\n・お薬手帳を読み取り`, 'ja')).toBe(`${cover}。おくすり`);
  });

  it('covers no deck with a line without its heading, nor with a long one where there is a shorter', () => {
    const long =
      'Zed knows the tide at every pier and the wind on every headland between here and the far side of the bay, hour by hour.';
    const hookOf = (description: string) => write({ ...zed, description, language: 'en' }).result.hook;
    expect(hookOf(`SINGING\nYour microphone listens for pitch.\n\nSCALES\nYour teacher picks some.`)).toBe(
      'Zed',
    );
    expect(hookOf(`${long}\n\nYou leave the house on time.\n\n• Tides`)).toBe('You leave the house on time');
  });

  it('writes in the language of the listing, whatever it is', () => {
    const languages = new Set(apps.map(app => write(app).language));
    expect([...languages].sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pt']);
    expect(bodiesOf(named('ねむりの栞'))[0]).toBe(
      '【朝の3問だけ】目が覚めたら、3つの質問に答えるだけ。1分で終わります。',
    );
  });

  it('opens with what the app does where the opening line is no cover, with the subtitle where nothing is one', () => {
    const description = `Over 900,000 people use Fogline. Fogline opens an account in eight minutes, with just your phone.

POTS FOR EVERYTHING
Round up your spare change, set a weekly amount or lock a pot.`;
    const app = { ...zed, name: 'Fogline: a bank in your pocket', description };
    expect(write(app).result.hook).toBe('Fogline opens an account in eight minutes, with just your phone');
    expect(write({ ...app, description: null }).result.hook).toBe('A bank in your pocket');
  });

  it('is shorter for a short listing, unless the brief names a number', () => {
    const description = 'Fogline plays the sea and then stops. Pick how long and put the phone face down.';
    const app = {
      ...zed,
      name: 'Fogline',
      description: `${description}\n\nNo account and no streak, so nothing nags you.`,
    };
    const lengthOf = (brief: Brief) => write(app, brief).result.bodySlides.length;
    expect([{}, { slideCount: 6 }, { archetype: 'listicle' as const }].map(lengthOf)).toEqual([2, 4, 4]);
    expect(write(app).notice).toBe('listing_too_short');
    expect(faultsOf({ seed: 's', app, brief: {} })).toEqual([]);
  });

  it('opens with no sentence without a subject', () => {
    const app = { ...zed, name: 'Fogline: crochê passo a passo', language: 'pt' };
    const { hook, bodySlides } = write({ ...app, description: 'Tem 60 receitas de tapete e bolsa.' }).result;
    expect([hook, bodySlides[0]!.text]).toEqual([
      'Crochê passo a passo',
      'Tem 60 receitas de tapete e bolsa',
    ]);
  });

  it('gives a topic a deck about the app, the lines that share its words first, and says so', () => {
    const deck = write(named('Second Wash'), { topic: 'how to get red wine stains out' });
    expect(deck.notice).toBe('topic_needs_model');
    expect(deck.result.hook).toBe('Clothes last twice as long when you stop washing them wrong');
    expect(deck.result.bodySlides[0]!.text).toBe('Stain help: red wine, grass, foundation, bike chain');
    expect(write(zed, { topic: 'jet lag' }).notice).toBe('topic_needs_model');
  });

  it.each(['en', 'de', 'es', 'fr', 'pt', 'it'] as const)(
    'fills a promised count in %s with neutral lines, at the end, and says so',
    language => {
      const listing = named('ParkPing');
      const app = { ...listing, language, description: null };
      const { result, notice } = write(app, { hook: '12 ways to park' });
      expect(notice).toBe('listing_too_short');
      expect(result.bodySlides.map(({ text }) => text)).toEqual(fillers[language].lines.slice(0, 12));
    },
  );

  it('keeps a count whatever the name and the category have', async () => {
    const app = { ...zed, name: '10 {n}', category: '5 tips', country: 'jp' };
    for (const name of ['Zed {n} {app}', '10 Recipes', 'ことば'])
      for (const archetype of archetypes)
        for (const ctaMode of ctaModes) {
          const request = { seed: 's', app: { ...app, name }, brief: { archetype, ctaMode } };
          await expect(guardBrief(composer).write(request)).resolves.toBeDefined();
          await expect(
            guardBrief(composer).write({ ...request, app: { ...request.app, country: null } }),
          ).resolves.toBeDefined();
        }
  });

  it('has names and numbers alone for a promised count in any other language', () => {
    const app = { ...zed, name: 'Fietsmaat', language: 'nl' };
    expect(bodiesOf(app, { hook: '3 Fietsmaat', slideCount: 5 })).toEqual([
      'Fietsmaat · 1/3',
      'Fietsmaat · 2/3',
      'Fietsmaat · 3/3',
    ]);
  });

  it('promises a count on the covers of a list alone', () => {
    for (const app of [...apps, zed]) {
      for (const archetype of archetypes) {
        const counts = write(app, { archetype, slideCount: 7 }).result.hookOptions.map(findPromisedCount);
        expect(new Set(counts)).toEqual(new Set([archetype === 'listicle' ? 5 : null]));
      }
    }
  });

  it('opens no second deck with the same sentence while there is another', () => {
    const app = {
      ...zed,
      description:
        'Your keys are lost. Zed rings them.\n\n• A bell that rings for a minute\n• A map of the house with every key',
    };
    const first = write(app).result;
    const before = {
      decks: [{ id: 'c1', lines: [first.hook, ...first.bodySlides.map(({ text }) => text)] }],
      rejected: [],
    };
    const second = composeDeck({ seed: 'content_2', app, brief: {}, before }).result;
    expect(first.hook).toBe('Your keys are lost. Zed rings them.');
    expect(second.hook).not.toMatch(/^Your keys are lost/);
  });

  it('keeps a given hook byte for byte', async () => {
    const hook = '  7 habits\u00a0that   outlast “motivation” 🌱 ';
    const { result } = await composer.write({ seed: 'content_1', app: named('Pebblo'), brief: { hook } });
    expect([result.hook, result.hookOptions]).toEqual([hook, [hook]]);
    expect(result.bodySlides).toHaveLength(7);
  });

  it('does not show the given hook a second time', () => {
    const hook = 'Rest days that do not break your streak';
    expect(bodiesOf(named('Pebblo'), { hook, slideCount: 10 })).not.toContain(hook);
  });

  it('takes other lines where one has an avoided word', async () => {
    const avoidWords = ['streak', 'habit', 'days', 'Big'];
    const avoided = compileAvoidedWords(avoidWords);
    const brief: Brief = { slideCount: 10 };
    expect(JSON.stringify(write(named('Pebblo'), brief))).toMatch(avoided);
    const { result } = write(named('Pebblo'), brief, avoidWords);
    expect(findAvoidedWord(result, avoidWords, false)).toBeNull();
    const request = { seed: 's', app: named('Pebblo'), brief, avoidWords: ['Pebblo'] };
    await expect(guardBrief(composer).write(request)).rejects.toMatchObject({ code: 'avoided_words' });
  });

  it('refuses a topic that nothing is written about, with a reason', async () => {
    const refused = composer.write({ seed: 's', app: named('Pebblo'), brief: { topic: 'casino tricks' } });
    await expect(refused).rejects.toThrow(WritingRefused);
    await expect(refused).rejects.toThrow(/brief\.topic/);
  });

  it('has 20 distinct neutral lines a language', () => {
    const { about: _, ...languages } = fillers;
    for (const [language, { lines }] of Object.entries(languages)) {
      expect([language, new Set(lines).size]).toEqual([language, 20]);
      expect(lines.filter(line => !/^[\p{Lu}].*[^.]\.$/u.test(line) || line.length > 90)).toEqual([]);
    }
  });
});

describe('writeSeedHooks', () => {
  it.each([...apps, zed].map(app => [app.name, app]))('gives %s 3 to 15 hooks without a count', (_, app) => {
    const hooks = writeSeedHooks(app as MaterialSource);
    expect(hooks.length).toBeGreaterThanOrEqual(3);
    expect(hooks.length).toBeLessThanOrEqual(15);
    expect(new Set(hooks).size).toBe(hooks.length);
    expect(hooks.map(findPromisedCount).filter(count => count !== null)).toEqual([]);
  });

  it('begins with the opening line', () => {
    expect(writeSeedHooks(named('Pebblo'))[0]).toBe(extractMaterial(named('Pebblo')).openings[0]);
  });
});
