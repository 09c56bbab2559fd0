import { compileAvoidedWords, findPromisedCount, planDeck } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import { describe, expect, it } from 'vitest';
import example from '../../prompts/example.json' with { type: 'json' };
import { extractMaterial } from '../listing/material.ts';
import { isForeignBrand } from '../text-filters.ts';
import { hasAkin, indexWords } from './akin.ts';
import { allFields, answerSchema, emptyDraft, mergeAnswer, withoutLengths } from './answer.ts';
import { createModelBreaker, createRetryBudget, type Pass } from './breaker.ts';
import { createExpiring } from './chat-client.ts';
import { findClaim } from './claims.ts';
import type { DeckWanted } from './draft.ts';
import { findForeignName, wordsOf } from './foreign-names.ts';
import { isParroted } from './prompt.ts';
import { rankHooks } from './rank-hooks.ts';
import { hashtagsOf } from './small-fields.ts';
import { findBrokenTextRules, keepGoodHooks, type TextContext } from './text-rules.ts';
import { coversTopic, findInventedFigure, findUntraceable } from './traceable.ts';

const rules = {
  appName: 'Pebblo',
  known: wordsOf('Pebblo habits for nurses in Utrecht, with Apple Watch'),
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
  ])('finds none in %j', text => expect(findForeignName(text, rules)).toBeNull());

  it.each([
    ['It works like Zoomly does', 'Zoomly'],
    ['Ask Maria from accounting', 'Maria'],
    ['ChatGPT wrote this list', 'ChatGPT'],
    ['Duolingo does it too', 'Duolingo'],
    ['Log it on your Apple Watch', 'Apple Watch'],
    ['Better with fooBar', 'fooBar'],
    ['Next stop: moving to Berlin', 'Berlin'],
  ])('finds the name in %j', (text, name) => expect(findForeignName(text, rules)).toBe(name));

  it('knows the marks that open a question in Spanish', () => {
    const spanish = { ...rules, language: 'es' };
    expect(findForeignName('Una idea sencilla. ¿Qué hay junto a tu teclado?', spanish)).toBeNull();
    expect(findForeignName('Una idea de Marta. ¿Qué hay?', spanish)).toBe('Marta');
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
      {},
      { topic: 'grocery budgets' },
      'slide1 must be about brief.topic, not about the app, and use words of the topic',
    ],
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
      'slide1 must have no figure that the listing and the brief do not have',
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

  it('keeps hooks with the right number and without the name, best first', () => {
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
    const topic = 'how to pay off student loans';
    const pasted = `${topic}: 4 small rules`;
    const ranked = ['4 quiet rules', pasted, '4 student loan mistakes that cost a year'];
    expect(rankHooks(ranked, topic, topic)).toEqual([ranked[2], pasted, '4 quiet rules']);
  });

  it('finds no fault in its own worked example', () => {
    const { question, answer } = example;
    const { listing, brief } = question;
    const own = {
      appName: listing.name,
      known: wordsOf(JSON.stringify(question)),
      language: 'en',
      brief: { topic: brief.topic },
      wanted: { ...wanted, appName: listing.name, plan: planDeck({}) },
      listing: JSON.stringify(listing).toLowerCase(),
      source: JSON.stringify(question).toLowerCase(),
      avoided,
    };
    const { bodySlides: slides, ctaSoft: soft, caption, hookOptions: hooks } = answer;
    const broken = findBrokenTextRules({ hooks, slides, soft, caption }, own);
    expect(broken.filter(({ rule }) => !/repeat the instructions/.test(rule))).toEqual([]);
    expect(slides.every(isParroted)).toBe(true);
    expect(hooks.map(hook => findPromisedCount(hook))).toEqual([4, 4, 4, 4, 4]);
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
    ['Doctors recommend it', 'waiting room for doctors', 'Doctors recommend'],
    ['It cures insomnia', 'sleep sounds', 'cures'],
    ['The ham cures for a week', 'a smokehouse log: cures, brines', null],
    ['Put $20 aside on Fridays', 'a budget', null],
    ['Loved by 40,000 users', 'a budget with 40,000 users', 'Loved by'],
  ])('%j about %j: %j', (text, listing, found) => expect(findClaim(text, 'Careplan', listing)).toBe(found));

  it.each([
    ['Pebblo reminds you after lunch', 'A reminder after lunch', true],
    ['Pebblo syncs with your bank', 'Log a habit in two taps', false],
    ['Sync with your bank on Fridays', 'Log a habit in two taps', true],
    ['Pebblo zeigt deinen Schuldenplan', 'Schulden im Blick', true],
    ['今日からPebbloで記録する。', '習慣', true],
    ['Pebblo logs a habit in two taps. It syncs with your bank.', 'Log a habit in two taps', false],
    ['It syncs with your bank. Pebblo logs a habit.', 'Log a habit in two taps', false],
    ['Pebblo logs a habit. Your bank account is synced at night.', 'Log a habit in two taps', false],
    ['Pebblo logs a habit. Then boil the kettle and sit down.', 'Log a habit in two taps', true],
    ['Pebblo logs a habit. Which bill arrives on Monday?', 'Log a habit in two taps', true],
    ['Does Pebblo sync with your bank?', 'Log a habit in two taps', false],
    ['The app syncs with your bank.', 'Log a habit in two taps', false],
    ['The app that eats your evening goes first.', 'Log a habit in two taps', true],
    ['Read the tide tonight. It returns later than yesterday.', 'Log a habit in two taps', true],
    ['Pebblo logs habits and bills.', 'Log a habit in two taps', false],
    ['Pebblo logs habits, bills and streaks in one place.', 'Log a habit. Streaks.', false],
    ['Pebblo logs habits and forgives a rest day.', 'Log a habit. Rest days', true],
    ['Pebblo is for freelancers.', 'For free lance teams', false],
    ['Die App liest deine Nachrichten und Kontakte.', 'Schulden im Blick', false],
    ['Pebblo zeigt deine Schulden und Konten.', 'Behalte deine Schulden im Blick', false],
    ['Pebblo plant den Einkauf für dich.', 'Plane deinen Wocheneinkauf', true],
    ['Pebblo guarda tus gastos. También lee tus mensajes y contactos.', 'Guarda cada gasto', false],
    ['Pebblo guarda los gastos de cada semana.', 'Guardar un gasto en segundos', true],
    ['Con Pebblo marcas cada gasto.', 'Gastos marcados por otros', true],
    ['Pebblo hört Stimmen langsamer.', 'Stimmen anhören und verlangsamen', true],
    ['Pebblo garde le profil et la visibilité de vos plongées.', 'Profil et visibilité des plongées', true],
  ])('%j from %j: %j', (text, listing, isTraced) =>
    expect(findUntraceable(text, 'Pebblo', listing, text.includes(' vos ') ? 'fr' : 'en') === null).toBe(
      isTraced,
    ),
  );

  it.each([
    ['Sleep is 40 % habit', 'a habit app', '40 %'],
    ['Save 20 % of it', 'the 20 % rule', null],
    ['Rest 3 days', '', null],
  ])('the figure in %j from %j: %j', (text, known, figure) =>
    expect(findInventedFigure(text, known)).toBe(figure),
  );

  const covers = (topic: string, slides: readonly string[]): boolean =>
    coversTopic(topic, { slides, around: [] }, '');

  it('takes slides about a topic that its hook and caption name, unless they are about the app', () => {
    const topic = 'how to negotiate your salary';
    const around = ['4 steps to a better salary', 'Which sentence is hard to say when you negotiate?'];
    const slides = ['Collect three job ads that state the pay.', 'Name your figure, then stay silent.'];
    const appSlides = ['Log a habit in two taps on rest days.', 'Keep the habit streak on rest days.'];
    expect(covers(topic, slides)).toBe(false);
    expect(coversTopic(topic, { slides, around }, listing)).toBe(true);
    expect(coversTopic(topic, { slides, around: ['Two steps', 'What would you say?'] }, listing)).toBe(false);
    expect(coversTopic(topic, { slides: appSlides, around }, listing)).toBe(false);
  });

  it('wants the topic in the slides where nothing else names it', () => {
    const topic = 'how to pay off student loans';
    expect(covers(topic, ['Hum the line first.', 'Count out loud.'])).toBe(false);
    expect(covers(topic, ['Pay the smallest loan first.', 'Then the student card.'])).toBe(true);
  });

  it.each([
    ['buying a used car', ['Keep a card in the hall.', 'Sleep at ten.'], false],
    ['7 ways to use a lemon', ['Use each thing in one way.', 'A good way to start.'], false],
    ['morning routines', ['Set out the cup tonight.', 'Leave the phone off all morning.'], true],
    ['7 ways to use a lemon', ['Rub half on the board.', 'Freeze lemons whole.'], true],
    [
      'cheap winter holidays with small kids',
      ['Pack a card game.', 'Sleep at ten.', 'Kids sleep too.'],
      false,
    ],
    ['Wocheneinkauf für Familien planen', ['Iss vor dem Einkauf etwas.', 'Schreib drei Gerichte auf.'], true],
    ['Wocheneinkauf für Familien planen', ['Lüfte das Zimmer.', 'Zähle bis zehn.'], false],
    ['Pläne für den Garten', ['Ein Plan passt auf ein Blatt.', 'Zähle bis zehn.'], true],
    ['cómo ahorrar en la compra', ['Haz la lista en casa.', 'Compra el ahorro de la semana.'], true],
    ['cómo ahorrar en la compra', ['Respira hondo.', 'Cuenta hasta diez.'], false],
  ])('%j in %j: %j', (topic, slides, isCovered) => expect(covers(topic, slides)).toBe(isCovered));

  it.each([
    ['car', 'card', false],
    ['free', 'freelancer', false],
    ['translate', 'transfer', false],
    ['log', 'logging', true],
    ['reminds', 'reminder', true],
    ['stories', 'story', true],
    ['Bücher', 'Buch', true],
    ['Schulden', 'Schuldenplan', true],
    ['erinnert', 'Erinnerung', true],
    ['lernt', 'lernen', true],
    ['gastos', 'gastar', true],
    ['sesiones', 'sesión', true],
  ])('%s and %s are akin: %j', (one, other, areAkin) => {
    expect([hasAkin(indexWords([one]), other), hasAkin(indexWords([other]), one)]).toEqual([
      areAkin,
      areAkin,
    ]);
  });

  it('makes hashtags of the topic, the name and the category, never of another product', () => {
    const material = extractMaterial({
      name: 'Pebblo: Strava habits',
      description: '',
      category: 'Productivity',
      country: 'us',
      store: 'apple',
    });
    expect(hashtagsOf(material, { topic: 'how to pay off student loans' })).toEqual([
      '#studentloans',
      '#productivity',
      '#pebblo',
    ]);
    expect(hashtagsOf(material, { topic: 'how to do without' })).toEqual([
      '#productivity',
      '#apps',
      '#pebblo',
    ]);
    expect(hashtagsOf(material, { ctaMode: 'none' })).toEqual(['#productivity', '#apps', '#apptips']);
  });
});

describe('answers', () => {
  const answer = {
    hookOptions: ['  **A** hook\nhere '],
    bodySlides: ['1. First  line', { text: '- Second\u0007line' }],
    ctaSoft: 'soft',
    caption: 'A caption #tag',
  };
  const merged = {
    hooks: ['A hook here'],
    slides: ['First line', 'Second line'],
    soft: 'soft',
    caption: 'A caption',
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
