import { compileAvoidedWords, findPromisedCount, planDeck } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import { describe, expect, it } from 'vitest';
import de from '../../prompts/examples/de.json' with { type: 'json' };
import en from '../../prompts/examples/en.json' with { type: 'json' };
import es from '../../prompts/examples/es.json' with { type: 'json' };
import fr from '../../prompts/examples/fr.json' with { type: 'json' };
import pt from '../../prompts/examples/pt.json' with { type: 'json' };
import { extractMaterial } from '../listing/material.ts';
import { isForeignBrand } from '../text-filters.ts';
import { indexWords } from '../words.ts';
import { allFields, answerSchema, emptyDraft, mergeAnswer, withoutLengths } from './answer.ts';
import { createModelBreaker, createRetryBudget, type Pass } from './breaker.ts';
import { createExpiring } from './chat-client.ts';
import { findClaim } from './claims.ts';
import type { DeckWanted } from './draft.ts';
import { findUnbacked } from './figures.ts';
import { findForeignName, wordsOf } from './foreign-names.ts';
import { isParroted } from './prompt.ts';
import { hashtagsOf } from './small-fields.ts';
import { findBrokenTextRules, keepGoodHooks, type TextContext } from './text-rules.ts';
import { findUntraceable } from './traceable.ts';

const rules = {
  appName: 'Pebblo',
  listing: 'pebblo habits for nurses in utrecht, with apple watch',
  known: wordsOf('Pebblo habits for nurses in Utrecht, with Apple Watch, unlike Garmin'),
  language: 'en',
};

describe('findForeignName', () => {
  it.each([
    'Pebblo keeps it small',
    'Start on Monday. Then rest.',
    'Ask the nurses in Utrecht, I mean it',
    'POV: You open the fridge',
    'A rule: “Small counts.” Then (Maybe) rest',
    'It is on the App Store, and on Google Play',
    '7 habits. 3 of them last – Two do not',
    'Two plugs at 0.3 kWh, read at 7 °C',
    "It is Thursday's list, and the Earth's shadow",
    'The Solent has double high waters, and Jupiter is bright over Lisbon',
    'Log it on your Apple Watch',
    'Learn the Lucena position before the Sicilian Defence',
  ])('finds none in %j', text => expect(findForeignName(text, rules)).toBeNull());

  it.each([
    ['It works like Zoomly does', 'Zoomly'],
    ['Ask Maria from accounting', 'Maria'],
    ['ChatGPT wrote this list', 'ChatGPT'],
    ['Duolingo does it too', 'Duolingo'],
    ['Log it on your Garmin', 'Garmin'],
    ['Better with fooBar', 'fooBar'],
    ['It is cheaper than Fooville', 'Fooville'],
    ['Open the Tidely app first', 'Tidely'],
    ['Maria, a nurse from Leeds, sleeps again', 'Maria'],
  ])('finds the name in %j', (text, name) => expect(findForeignName(text, rules)).toBe(name));

  it('finds products and people in Spanish', () => {
    const spanish = { ...rules, language: 'es' };
    expect(findForeignName('Una idea sencilla. ¿Qué hay junto a tu teclado?', spanish)).toBeNull();
    expect(findForeignName('Más rápido que Fooville', spanish)).toBe('Fooville');
    expect(findForeignName('Rosa, enfermera de Sevilla, ya no se pierde un turno', spanish)).toBe('Rosa');
  });

  it('knows that German writes nouns with a capital, and still finds brands', () => {
    const german = { ...rules, language: 'de' };
    expect(findForeignName('Der Plan für müde Tage', german)).toBeNull();
    expect(findForeignName('Wie bei Spotify', german)).toBe('Spotify');
  });

  it('lets an app carry its own name, even when it is on the list', () => {
    expect(findForeignName('In Strava you can rest', { ...rules, appName: 'Strava' })).toBeNull();
    expect([isForeignBrand('Strava', 'Strava'), isForeignBrand('strava', 'Pebblo')]).toEqual([false, true]);
  });
});

const example = en.listicle;
const examples = [de, en, es, fr, pt].flatMap(of => Object.entries(of));
const wanted: DeckWanted = {
  plan: { ...planDeck({ slideCount: 4 }) },
  hasHook: false,
  isCounted: true,
  appName: 'Pebblo',
};
const listing = 'pebblo habits for nurses in utrecht. log a habit in two taps. rest days keep the streak';
const avoided = compileAvoidedWords(['c++', 'hustle']);
const context: TextContext = { ...rules, brief: {}, wanted, listing, source: listing, avoided };
const draft = {
  hooks: [],
  slides: ['Put the kettle on before any message.', 'Write one line on paper tonight.'],
  soft: 'In Pebblo you can rest without a lost streak.',
  caption: 'Two lines for a night that asks too much of you.',
  hashtags: [],
  language: 'en',
};
const judge = (change: Partial<typeof draft>, brief: Brief = {}) =>
  findBrokenTextRules({ ...draft, ...change }, { ...context, brief }).map(
    ({ where, rule }) => `${where} ${rule}`,
  );

describe('findBrokenTextRules', () => {
  it('finds nothing in a good deck', () => expect(judge({})).toEqual([]));

  it.each([
    'Read www.win.example for more of this',
    'Read it at win.io when you can',
    'Ask @pebblo_app for the rest of it',
    'Go to https://win.example',
  ])('names the link in %j', caption =>
    expect(judge({ caption })).toContain('caption must have no link, address or handle'),
  );

  it.each(['A <b>bold</b> streak in Pebblo', 'Keep **this** Pebblo habit', 'Hello {name}, Pebblo habit'])(
    'names the markup in %j',
    soft => expect(judge({ soft }).join()).toContain('ctaSoft must be plain text'),
  );

  it.each([
    [
      { caption: 'A walk at noon prevents depression in the dark months.' },
      {},
      'caption must claim no rank, rating, price, cure or guarantee',
    ],
    [{ soft: 'Rest tonight.' }, {}, 'ctaSoft must name the app, "Pebblo", once'],
    [
      { soft: 'Pebblo books ferries and hotels.' },
      {},
      'ctaSoft must say about the app only what the listing says',
    ],
    [{ slides: ['Log it in Pebblo.', 'A habit rests in Pebblo.'] }, {}, 'slide2 must not name the app'],
    [
      { caption: 'Pebblo rest days keep a streak going.' },
      { ctaMode: 'none' as const },
      'caption must not name the app',
    ],
    [{ slides: ['One line.', null] }, {}, 'slide2 is missing'],
    [{ slides: ['Write one line.', 'Write one line.'] }, {}, 'slide2 must say something else than slide1'],
    [
      { caption: 'Hustle is no habit, and C++ is none.' },
      {},
      'caption must not have this word, which the brand avoids',
    ],
    [
      { slides: ['Learn C++ at night.', 'Write one line.'] },
      {},
      'slide1 must not have this word, which the brand avoids',
    ],
    [
      { slides: ['73 % of nurses rest.', 'Write one line.'] },
      {},
      'slide1 must have no figure, result or praise that the listing and the brief do not have',
    ],
    [
      { slides: [example.answer.bodySlides[0]!, 'Write one line.'] },
      {},
      'slide1 must not repeat the instructions or the example',
    ],
  ])('%j with %j: %s', (change, brief, rule) => expect(judge(change as typeof draft, brief)).toContain(rule));

  it.each([
    [{ caption: 'Walk at noon. Pebblo is free all year.' }, 'caption must claim no rank'],
    [
      { soft: 'Pebblo finds free museums in winter.' },
      'ctaSoft must say about the app only what the listing says',
    ],
  ])('does not take a topic for the listing: %j', (change, rule) => {
    const topic = 'free museums to find in winter';
    const slides = ['Museums are free on one evening.', 'Winter mornings are quiet in 3 of 4 museums.'];
    const topical = { ...context, brief: { topic }, source: `${listing} ${topic}` };
    const broken = findBrokenTextRules({ ...draft, slides, ...change }, topical);
    expect(broken.map(({ where, rule }) => `${where} ${rule}`).join()).toContain(rule);
    expect(broken.every(({ where }) => where in { ctaSoft: 0, caption: 0 })).toBe(true);
  });

  it('keeps hooks with the right number and without the name, in their order', () => {
    const hooks = [
      '2 habits for nurses in Pebblo',
      '2 habits of hustle',
      '3 rules',
      'Rest',
      '2 quiet habits that last for nurses',
    ];
    expect(keepGoodHooks(hooks, context)).toEqual(['2 quiet habits that last for nurses']);
    expect(keepGoodHooks(hooks, { ...context, avoided: compileAvoidedWords() })).toContain(
      '2 habits of hustle',
    );
    expect(keepGoodHooks(hooks.slice(0, 1), { ...context, brief: { ctaMode: 'direct' } })).toHaveLength(1);
  });

  it.each(examples)('finds no fault in a worked example of %s', (archetype, worked) => {
    const {
      listing: app,
      brief: { topic },
    } = worked.question;
    const {
      hookOptions: hooks,
      bodySlides: slides,
      ctaSoft: soft,
      caption,
      hashtags,
      language,
    } = worked.answer;
    const source = JSON.stringify(worked.question).toLowerCase();
    const own: TextContext = {
      appName: app.name,
      known: wordsOf(source),
      language,
      brief: topic === null ? {} : { topic },
      wanted: {
        ...wanted,
        appName: app.name,
        plan: planDeck({ slideCount: 6 }),
        isCounted: archetype === 'listicle',
      },
      listing: JSON.stringify(app).toLowerCase(),
      source,
      avoided,
    };
    const broken = findBrokenTextRules({ hooks, slides, soft, caption, hashtags, language }, own);
    expect(broken.filter(({ rule }) => !/repeat the instructions/.test(rule))).toEqual([]);
    expect(slides.filter(text => text.split(' ').length > 6).every(isParroted)).toBe(true);
    const promised = hooks.map(hook => findPromisedCount(hook));
    expect(promised.every(count => count === 4 || (count === null && archetype !== 'listicle'))).toBe(true);
  });
});

describe('claims and traces', () => {
  it.each([
    ['Ask the doctor for the earlier slot', 'a dentist app', null],
    ['Careplan tells you when the doctor is late', 'waiting room for doctors: see the doctor sooner', null],
    ['Careplan is free', 'a clinic app', 'free'],
    ['Careplan is free', 'receipts for freelancers, carefree', 'free'],
    ['Careplan is free', 'free for patients', null],
    ['Careplan is rated well', 'integrated with your calendar', 'rated'],
    ['Careplan costs $5', 'a room for $50, or $5.50 at night', '$5'],
    ['Careplan shows the line. It is free.', 'a clinic app', 'free'],
    ['The app is free', 'a clinic app', 'free'],
    ['Diese App ist kostenlos', 'eine Klinik', 'kostenlos'],
    ['La aplicación es gratis', 'una clínica', 'gratis'],
    ['It is best to water in the morning', 'a garden diary', null],
    ['Careplan costs $5', 'Careplan costs $5.', null],
    ['Careplan finds doctors', 'see the doctor sooner', null],
    ['Keep one evening free', 'a clinic app', null],
    ['The best time to water is the morning', 'a garden diary', null],
    ['Careplan is the best diary', 'a garden diary', 'best'],
    ['It cures insomnia', 'sleep sounds', 'cures'],
    ['The ham cures for a week', 'a smokehouse log: cures, brines', null],
    ['Put $20 aside on Fridays', 'a budget', null],
  ])('%j about %j: %j', (text, listing, found) => expect(findClaim(text, 'Careplan', listing)).toBe(found));

  it.each([
    ['Pebblo reminds you after lunch', 'A reminder after lunch', 'en', true],
    ['Pebblo syncs with your bank', 'Log a habit in two taps', 'en', false],
    ['Sync with your bank on Fridays', 'Log a habit in two taps', 'en', true],
    ['Pebblo zeigt deinen Schuldenplan', 'Schulden im Blick', 'de', true],
    ['今日からPebbloで記録する。', '習慣', 'en', true],
    ['Pebblo logs a habit in two taps. It syncs with your bank.', 'Log a habit in two taps', 'en', false],
    ['It syncs with your bank. Pebblo logs a habit.', 'Log a habit in two taps', 'en', false],
    ['Pebblo logs a habit. Your bank account is synced at night.', 'Log a habit in two taps', 'en', false],
    ['Pebblo logs a habit. Then boil the kettle and sit down.', 'Log a habit in two taps', 'en', true],
    ['Pebblo logs a habit. Which bill arrives on Monday?', 'Log a habit in two taps', 'en', true],
    ['Does Pebblo sync with your bank?', 'Log a habit in two taps', 'en', false],
    ['The app syncs with your bank.', 'Log a habit in two taps', 'en', false],
    ['The app that eats your evening goes first.', 'Log a habit in two taps', 'en', true],
    ['Read the tide tonight. It returns later than yesterday.', 'Log a habit in two taps', 'en', true],
    ['Pebblo logs habits and bills.', 'Log a habit in two taps', 'en', false],
    ['Pebblo logs habits, bills and streaks in one place.', 'Log a habit. Streaks.', 'en', false],
    ['Pebblo logs habits and forgives a rest day.', 'Log a habit. Rest days', 'en', true],
    ['Pebblo is for freelancers.', 'For free lance teams', 'en', false],
    ['Die App liest deine Nachrichten und Kontakte.', 'Schulden im Blick', 'de', false],
    ['Pebblo zeigt deine Schulden und Konten.', 'Behalte deine Schulden im Blick', 'de', false],
    ['Pebblo plant den Einkauf für dich.', 'Plane deinen Wocheneinkauf', 'de', true],
    ['Pebblo guarda tus gastos. También lee tus mensajes y contactos.', 'Guarda cada gasto', 'es', false],
    ['Pebblo guarda los gastos de cada semana.', 'Guardar un gasto en segundos', 'es', true],
    ['Con Pebblo marcas cada gasto.', 'Gastos marcados por otros', 'es', true],
    ['Pebblo hört Stimmen langsamer.', 'Stimmen anhören und verlangsamen', 'de', true],
    ['Pebblo makes the sound of the mic louder.', 'Makes the sound of the mic loud', 'en', true],
    ['Pebblo corrige la donne d’avant sans tout refaire.', 'Correction de la donne d’avant', 'fr', true],
    ['Pebblo trainiert 8 Wochen lang das Zurückkommen.', 'Bis der Hund zurückkommt: 8 Wochen', 'de', true],
    ['No Pebblo, cada treino dura 15 minutos, com nível e apoio.', '15 minutos, nível com apoio', 'pt', true],
    ['O Pebblo dá uma nota, boa para negociar.', 'Sai uma nota, para negociar', 'pt', true],
    [
      'Pebblo garde le profil et la visibilité de vos plongées.',
      'Profil et visibilité des plongées',
      'fr',
      true,
    ],
  ])('%j from %j in %s: %j', (text, listing, language, isTraced) =>
    expect(findUntraceable(text, 'Pebblo', listing, language) === null).toBe(isTraced),
  );

  it.each([
    ['Sleep is 40 % habit', 'a habit app', '40 %'],
    ['Save 20 % of it', 'the 20 % rule', null],
    ['Sur 5 000 €, la personne qui en gagne 3 000 apporte 60 %, l’autre 40 %.', '', null],
    ['Of 5,000 people 3,000 sleep better, which is 70%.', '', '70%'],
    ['Take 0.1 g in 10 g of oil at 25 degrees and sleep 10% better.', '', '10%'],
    ['Of 2,5 kilos 1,5 are flour, of 2 loaves that is 60%.', '', null],
    ['Write down a limit, for example 10%, and what to do if the account falls 20%.', '', null],
    ['On $600, a fee of 1% costs you $6 and a fee of 0.1% costs 60 cents.', '', null],
    ['Say half your money sits in an ETF that keeps 6% in one company. Then 3% rides on it.', '', null],
    ['Clear the credit card first if it charges 20% interest.', '', null],
    ['Si ta banque prend 3 %, pose la question.', '', null],
    ['Ein Beispiel: Bei einem Viertel der Höhe sind nur 20 Prozent drin.', '', null],
    ['If you use it daily, you remember 80% more.', '', '80%'],
    ['El ruido se reduce un 30 % si lo usas.', '', '30 %'],
    ['Rest 3 days', '', null],
    ['Put $20 aside on Fridays', '', null],
    ['Trusted by 40 families', 'trusted by 40 families', null],
    ['Doctors recommend it', 'waiting room for doctors', 'Doctors recommend'],
  ])('the figure, result or praise in %j from %j: %j', (text, known, found) =>
    expect(findUnbacked(text, known)).toBe(found),
  );

  it.each([
    ['car', 'card', 'en', false],
    ['free', 'freelancer', 'en', false],
    ['translate', 'transfer', 'en', false],
    ['log', 'logging', 'en', true],
    ['reminds', 'reminder', 'en', true],
    ['stories', 'story', 'en', true],
    ['louder', 'loud', 'en', true],
    ['Bücher', 'Buch', 'de', true],
    ['Schulden', 'Schuldenplan', 'de', true],
    ['Wocheneinkauf', 'Einkauf', 'de', true],
    ['gastos', 'gastar', 'es', true],
    ['plongées', 'plonger', 'fr', true],
    ['avisa', 'avisar', 'pt', true],
  ])('%s and %s share a stem in %s: %j', (one, other, language, isShared) => {
    const found = [
      indexWords(one, language)(other.toLowerCase()),
      indexWords(other, language)(one.toLowerCase()),
    ];
    expect(found).toEqual([isShared, isShared]);
  });

  it('keeps the hashtags of the model but those of another product, and makes its own where few are left', () => {
    const material = extractMaterial({
      name: 'Pebblo: Strava habits',
      description: '',
      category: 'Productivity',
      country: 'us',
      store: 'apple',
    });
    const tagsOf = (written: string[], brief: Brief = {}) =>
      hashtagsOf(written, { material, brief, avoided: compileAvoidedWords(['hustle']) });
    expect(tagsOf(['#SmallHabits', 'rest days', '#strava', '#hustle', '#pebblo', '#1'])).toEqual([
      '#smallhabits',
      '#restdays',
      '#pebblo',
    ]);
    const few = tagsOf(['#strava', '#pebblo', '#rest'], { ctaMode: 'none' });
    expect(few.length).toBeGreaterThanOrEqual(3);
    expect(few.join()).not.toMatch(/strava|pebblo/);
  });
});

describe('answers', () => {
  const answer = {
    hookOptions: ['  **A** hook\nhere '],
    bodySlides: ['1. First  line', { text: '- Second\u0007line' }],
    ctaSoft: 'soft',
    caption: 'A caption #tag',
    hashtags: ['#one'],
    language: 'en',
  };
  const merged = {
    hooks: ['A hook here'],
    slides: ['First line', 'Second line'],
    soft: 'soft',
    caption: 'A caption',
    hashtags: ['#one'],
    language: 'en',
  };
  const json = JSON.stringify(answer);
  const empty = emptyDraft(wanted);
  const all = allFields(wanted);

  it.each([json, `\`\`\`json\n${json}\n\`\`\``, `<think>{"a":1}</think>Here: ${json} Enjoy.`])(
    'are read and tidied in form only (%#)',
    text => expect(mergeAnswer(empty, text, all)).toEqual(merged),
  );

  it.each(['', 'no', '{}', '[]', '{"bodySlides": "x"}', `{"a": ${json}}`])('are null for %j', text =>
    expect(mergeAnswer(empty, text, all)).toBeNull(),
  );

  it('that were cut off keep their whole values', () => {
    expect(mergeAnswer(empty, '{"bodySlides": ["One, \\"two\\" {", "Three", "Fou', all)?.slides).toEqual([
      'One, "two" {',
      'Three',
    ]);
    expect(mergeAnswer(empty, '{"hookOptions": ["A", "B"], "bodySlides": ["C",', all)?.hooks).toEqual([
      'A',
      'B',
    ]);
    expect(mergeAnswer(empty, '{"hookOptions": ["A', all)).toBeNull();
  });

  it.each(['<think>', '{', '{"a":[', ',{', '"', '\\'])('cost no time when they are nothing but %j', unit => {
    const startedMs = performance.now();
    for (const length of [49_000, 900_000])
      expect(mergeAnswer(empty, unit.repeat(length / unit.length), all)).toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });

  it.each(['1', '10% ', '-', 'a.', '['])('cost no time when a part is nothing but %j', unit => {
    const startedMs = performance.now();
    const text = unit.repeat(40_000 / unit.length);
    expect(judge({ slides: [text, 'Rest.'] })[0]).toMatch(/^slide1 must have at most/);
    expect(keepGoodHooks([text], context)).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });

  it('change single parts of a draft, and only those asked for have a place in the schema', () => {
    const fields = { hooks: 0, slides: [1], soft: false, caption: true };
    const changed = mergeAnswer(merged, '{"slide2": "Another line", "caption": 7}', fields);
    expect(changed).toEqual({ ...merged, slides: ['First line', 'Another line'] });
    const schema = answerSchema(wanted, fields);
    expect(schema.required).toEqual(['slide2', 'caption']);
    expect(JSON.stringify(schema)).toContain('"maxLength":180');
    expect(JSON.stringify(withoutLengths(schema))).not.toContain('Length');
  });

  it.each([{ bodySlides: ['Another line'] }, { slide1: 'Another line' }, { ctaSoft: 'Another line' }])(
    'of a repair leave the parts alone that were not asked for: %j',
    answer => {
      const fields = { hooks: 0, slides: [1], soft: false, caption: true };
      expect(mergeAnswer(merged, JSON.stringify(answer), fields)).toEqual(merged);
    },
  );
});

describe('patience with a model', () => {
  const open = () => {
    const breaker = createModelBreaker();
    const enter = (nowMs: number): Pass => {
      const pass = breaker.enter(nowMs);
      if (typeof pass === 'string') throw new Error(pass);
      return pass;
    };
    return { breaker, enter };
  };

  it('opens after three failures, tries once, and waits twice as long after each trial', () => {
    const { breaker, enter } = open();
    for (let i = 0; i < 3; i += 1) enter(0).failed(0, 'ECONNREFUSED');
    expect(breaker.enter(1_000)).toBe('ECONNREFUSED, 3 times in a row; next try in 14 s');
    const trial = enter(15_000);
    expect(breaker.enter(15_000)).toMatch(/next try/);
    trial.failed(15_000, 'TimeoutError');
    expect(breaker.enter(44_999)).toMatch(/TimeoutError, 4 times/);
    enter(45_000).abandoned();
    enter(45_000).failed(45_000, 'down');
    expect(breaker.enter(104_999)).toMatch(/5 times in a row; next try in 1 s/);
    enter(105_000).failed(105_000, 'down');
    expect(breaker.enter(164_999)).toMatch(/next try in 1 s/);
    enter(165_000).answered();
    enter(165_000);
    enter(165_000);
  });

  it('is not lengthened by decks that were in flight when it opened', () => {
    const { breaker, enter } = open();
    const inFlight = Array.from({ length: 10 }, () => enter(0));
    for (const pass of inFlight.slice(0, 9)) pass.failed(1_000, 'TimeoutError');
    expect(breaker.enter(15_999)).toBe('TimeoutError, 3 times in a row; next try in 1 s');
    const trial = enter(16_000);
    inFlight[9]!.failed(16_000, 'TimeoutError');
    expect(breaker.enter(16_000)).toMatch(/3 times/);
    trial.failed(16_000, 'TimeoutError');
    expect(breaker.enter(16_000)).toMatch(/4 times in a row; next try in 30 s/);
  });

  it('does not count a deck without an answer while others are answered', () => {
    const { breaker, enter } = open();
    const slow = Array.from({ length: 5 }, () => enter(0));
    enter(0).answered();
    for (const pass of slow) pass.failed(1_000, 'TimeoutError');
    expect(breaker.enter(1_000)).not.toEqual(expect.any(String));
  });

  it('forgets after 15 minutes what an endpoint does not take, however often it is confirmed', () => {
    const format = createExpiring('json_schema');
    format.set('json_object', 1_000);
    format.set('json_object', 600_000);
    expect([format.at(900_999), format.at(901_000)]).toEqual(['json_object', 'json_schema']);
    format.set('text', 901_000);
    expect(format.at(1_800_999)).toBe('text');
    format.set('json_schema', 1_000_000);
    expect(format.at(1_000_001)).toBe('json_schema');
  });

  it('affords ten retries, then one for every five questions', () => {
    const budget = createRetryBudget();
    const afforded = Array.from({ length: 12 }, () => budget.mayRetry());
    expect(afforded.filter(Boolean)).toHaveLength(10);
    for (let i = 0; i < 5; i += 1) budget.asked();
    expect([budget.mayRetry(), budget.mayRetry()]).toEqual([true, false]);
  });
});
