import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../eval/decks.ts';
import { listings, named, readText, samples, textsOf } from '../../test/listings.ts';
import { describeApp } from '../app-details.ts';
import { readAudiences } from './audiences.ts';
import { detectLanguage } from './language.ts';
import { extractMaterial, type MaterialSource } from './material.ts';
import { lowerShouting } from './phrasing.ts';
import { shortenName } from './short-name.ts';

it.each(samples.map(({ name, language }) => [name, language]))(
  'tells the language of %s: %s',
  (name, language) => {
    expect(extractMaterial(named(name!)).language).toBe(language);
  },
);

it.each([
  ['Maré Certa', 'pt'],
  ['Mijote', 'fr'],
  ['Nonna', 'it'],
  ['Fietsmaat', 'nl'],
  ['매일한줄', 'ko'],
  ['ごみの日', 'ja'],
])('tells the language of %s without being told: %s', (name, language) => {
  expect(extractMaterial({ ...named(name), country: 'us' }).language).toBe(language);
});

it("goes on after the maker's story with what the app does", () => {
  const text =
    'I wrote Fogline to save our recipes. You photograph a card and the app reads the handwriting.\n\nSince then it has grown. You can scale a recipe while you cook.';
  expect(textsOf(text)).toEqual([
    'You photograph a card and the app reads the handwriting',
    'You can scale a recipe while you cook',
  ]);
});

it('has a later sentence stand behind the one before it', () => {
  const { lines } = readText(
    'Search a word in English and hear how it is said. You record your own voice with one tap. Rated 4.8 by all. You hear it again.',
  );
  expect(lines.map(({ text, after }) => [text, after])).toEqual([
    ['Search a word in English and hear how it is said', undefined],
    ['You record your own voice with one tap', 'Search a word in English and hear how it is said'],
  ]);
});

it('tells a listing that says little with the short description of the store, too', () => {
  const source = {
    name: 'Fogline',
    category: null,
    country: 'us',
    store: 'google',
    language: 'en',
  } as const;
  const summary = 'Drops a pin when you park your car.';
  const textOf = (description: string) =>
    extractMaterial({ ...source, description, summary }).lines.map(({ text }) => text);
  expect(textOf('Fogline remembers where you parked.')).toContain('Drops a pin when you park your car');
  const items = '• Maps for the night\n• Share with a friend\n• Works on a watch';
  const pitch = 'Fogline keeps a map of every place where you park.';
  expect(textOf(`${pitch}\n${items}`)).toHaveLength(4);
  expect(textOf(`Lost at sea?\n\n${items}`)[0]).toBe('Drops a pin when you park your car');
});

it('knows the app by the first word of its name where the listing says no more', () => {
  const source = {
    name: 'Fogline Migraine Log',
    category: null,
    country: 'us',
    store: null,
    language: 'en',
  };
  const description = 'Press it. Fogline notes the time, the pressure and the weather, and leaves you alone.';
  expect(extractMaterial({ ...source, description }).lines).toHaveLength(1);
  const shouted = {
    name: 'Nevoeiro Mapa CACES da Costa',
    description: 'O NEVOEIRO MAPA guarda cada lugar onde você para.\n\n• MAPAS CACES: um caces por dia',
  };
  expect(extractMaterial({ ...source, ...shouted, language: 'pt' }).lines.map(({ text }) => text)).toEqual([
    'O Nevoeiro Mapa guarda cada lugar onde você para',
    'Mapas CACES: um caces por dia',
  ]);
});

it('keeps an ordinal with its noun, and the capitals of codes', () => {
  expect(textsOf('• Für Kinder der 1. und 2. Klasse', 'de')).toEqual(['Für Kinder der 1. und 2. Klasse']);
  expect(textsOf('• FAR 117, FAR 135, EASA FTL, CAR 700')).toEqual(['FAR 117, FAR 135, EASA FTL, CAR 700']);
});

it.each([
  ['ja', '・GPSでお知らせします\n・曜日、天気、予定に合わせる', 2],
  ['en', 'A timer and 4,000 photos for people who draw.', 1],
  ['de', 'Sie sagen, was reif ist.\n\n• Kalender für das ganze Jahr', 2],
])('takes each line of %s: %s', (language, text, count) => {
  expect(textsOf(text, language)).toHaveLength(count);
});

it('closes the space before a full stop', () => {
  expect(textsOf('• Scan a label : it is read . Keep it !')).toEqual(['Scan a label: it is read. Keep it!']);
  expect(textsOf('• Scannez : lisez .', 'fr')).toEqual(['Scannez : lisez']);
  expect(textsOf('• Pollo ,alitas ,pechuga y papas', 'es')).toEqual(['Pollo, alitas, pechuga y papas']);
});

it.each([
  ['⁃ Three introductions per day', 'en', 'Three introductions per day'],
  ['• Si un coche no avisa, lo ves con un ? gris', 'es', 'Si un coche no avisa, lo ves con un ? gris'],
  [
    'Una agenda de uñas.\n\nES PARA TI SI\n• trabajas sola o con otra\n• te escriben por WhatsApp y en la puerta',
    'es',
    'Es para ti si trabajas sola o con otra',
  ],
  [
    'Fogline is a pacing and practice tool for people who stutter, clutter, or speak with dysarthria — and for the speech-language pathologists who work with all of them.',
    'en',
    'Fogline is a pacing and practice tool for people who stutter, clutter, or speak with dysarthria',
  ],
  [
    'Vous obtenez l’heure pour sortir la viande du frigo, l’heure de mise au four, la température du four et celle à cœur, le repos, et la marge si les invités arrivent en retard. Ils arrivent en retard.',
    'fr',
    'Vous obtenez l’heure pour sortir la viande du frigo, l’heure de mise au four, la température du four et celle à cœur, le repos',
  ],
])('%j in %s is %j', (text, language, line) => expect(textsOf(text, language)).toContain(line));

it('leaves an arrow as it stands', () => {
  for (const line of ['Shelf finder → which crate', 'Coffee 30.5 oz → 24.2 oz', 'Garden → meadow → wood'])
    expect(textsOf(`• ${line}`)).toEqual([line]);
  expect(textsOf('• Wind turns to W. Stay in')).toEqual(['Wind turns to W. Stay in']);
});

it('begins a line with a capital, but not iCloud', () => {
  expect(textsOf('• maps that work offline\n• iCloud sync for maps')).toEqual([
    'Maps that work offline',
    'iCloud sync for maps',
  ]);
});

it('keeps short sentences of prose with those that they need', () => {
  expect(
    textsOf(`Every object comes with an honest drawing of what you see. Galaxies are grey smudges.
ONE-TAP LOGGING: Press "It's starting". Everything else can be filled in tomorrow.
Not to be used for navigation.`),
  ).toEqual([
    'Every object comes with an honest drawing of what you see. Galaxies are grey smudges.',
    `One-tap logging: Press "It's starting". Everything else can be filled in tomorrow.`,
  ]);
});

it.each([
  [
    'en',
    'Fogline counts every loaf that you bake.',
    'Each one is kept with its picture and the weather of that day.',
  ],
  ['en', 'Record the hum of your oven at night.', 'Afterwards you get one line about what to change.'],
  ['en', 'You play five short notes a day.', 'The same goes for chords, which come in the third week.'],
  ['de', 'Du wählst den Weg auf der Karte aus.', 'Danach rechnet die App die Zeit für dich aus.'],
  ['de', 'Die App kennt die Umwege im Dorf.', 'Du legst fest, wie groß er sein darf.'],
  ['es', 'Apuntas cada vaso de agua con un toque.', 'A partir de ahí decides tú cuánto bebes.'],
  ['fr', 'Vous notez la vente de la journée.', 'Tout cela vous revient le soir dans un tableau.'],
  ['it', 'Inquadri la parete con il telefono.', 'Poi la leggi nel giornale della tua giornata.'],
  ['pt', 'Você marca o lado com um toque.', 'O resto você preenche depois, com mais calma.'],
  ['nl', 'Je schrijft op wat je vandaag zag.', 'Daarna gaat het boek dicht tot je het weer opent.'],
])('keeps or drops with it what refers to the sentence before, in %s: %s %s', (language, before, after) => {
  expect(textsOf(`Fogline.\n\n${before} ${after}`, language)).toEqual([`${before} ${after}`]);
  expect(textsOf(`Fogline.\n\n${after}`, language)).toEqual([]);
});

it.each([
  ['pt', 'O microfone não é um aparelho profissional. Por isso o app pede uma calibração no começo.'],
  ['es', 'El micrófono no es un aparato profesional. Por eso la app pide una prueba al principio.'],
  ['de', 'Das Mikrofon ist kein geeichtes Messgerät. Deshalb fragt die App am Anfang nach einem Ton.'],
  ['fr', 'Le micro du téléphone n’est pas un appareil de mesure. Donc elle demande un essai au début.'],
  ['en', 'The microphone of a phone is no instrument. Instead you get a range that is honest.'],
])('keeps a sentence in %s with the one before it', (language, paragraph) => {
  expect(textsOf(paragraph, language)).toEqual([paragraph]);
});

it('takes the German "Sie" of a formal listing for the reader', () => {
  const formal =
    'Halten Sie in Sekunden fest, was Sie heute getan haben. Sie tippen auf eine von sechs Tätigkeiten.';
  expect(textsOf(formal, 'de')).toContain('Sie tippen auf eine von sechs Tätigkeiten');
  const informal =
    'Halte in Sekunden fest, was deine Gruppen heute getan haben. Sie tippen auf eine von sechs Tätigkeiten.';
  expect(textsOf(informal, 'de')).toEqual([informal]);
});

it('names the audience of a listing', () => {
  expect(extractMaterial(named('Pebblo')).audiences).toEqual(['students', 'shift workers']);
  expect(extractMaterial(named('Quillbill')).audiences).toContain('translators');
  expect(extractMaterial(named('Fogline')).audiences).toEqual([]);
  expect(readAudiences('Freelancers, translators and designers.', 'en')).toEqual([
    'freelancers',
    'translators',
    'designers',
  ]);
  expect(readAudiences('Check balances, search payments and get alerts.', 'en')).toEqual([]);
  expect(readAudiences('Made for picky kids.', 'en')).toEqual([]);
  expect(readAudiences('Sounds for rain, waves and old fans.', 'en')).toEqual([]);
  expect(readAudiences('For night owls and late starters.', 'en')).toEqual(['night owls', 'late starters']);
});

it('holds out on listings cut to 80 characters and an empty one', () => {
  for (const listing of listings) {
    const source = sourceOf(listing);
    extractMaterial({ ...source, description: source.description!.slice(0, 80) });
  }
  expect(textsOf('')).toEqual([]);
});

it('lowers a text in capitals, but not a German one', () => {
  const english = { name: 'Fogline', language: 'en', acronyms: ['DAS'] };
  expect(lowerShouting('DAS NO PRAZO', { ...english, language: 'pt' })).toBe('DAS no prazo');
  expect(lowerShouting('KEEP YOUR NOTES ON THE PHONE OF EVERYONE.', english)).toBe(
    'Keep your notes on the phone of everyone.',
  );
  expect(lowerShouting('WILL I MAKE IT?', english)).toBe('Will I make it?');
  expect(lowerShouting('¿CUÁNTO ME VA A COSTAR?', { ...english, language: 'es' })).toBe(
    '¿Cuánto me va a costar?',
  );
  expect(lowerShouting('İLK HAFTA ÜCRETSİZ Mİ?', { ...english, language: 'tr' })).toBe(
    'İlk hafta ücretsiz mi?',
  );
  expect(lowerShouting('NIE WIEDER LEBENSMITTEL WEGWERFEN!', { ...english, language: 'de' })).toBe(
    'NIE WIEDER LEBENSMITTEL WEGWERFEN!',
  );
});

describe('detectLanguage', () => {
  it.each([
    ['Din cykel säger ingenting förrän den gnisslar. Appen håller reda på kedjan och bromsarna.', 'sv'],
    ['Twój rower milczy, dopóki nie zaskrzypi. Aplikacja pamięta o łańcuchu i hamulcach.', 'pl'],
    ['Bisikletin gıcırdayana kadar susar. Uygulama zinciri ve frenleri hatırlatır.', 'tr'],
    ['Твой велосипед молчит, пока не заскрипит. Приложение помнит о цепи и тормозах.', 'ru'],
    ['Твій велосипед мовчить, доки не заскрипить. Застосунок пам’ятає про ланцюг і гальма.', 'uk'],
    ['Je fiets zegt niets, tot hij kraakt. De app houdt de ketting en de remmen bij.', 'nl'],
    ['A sua bicicleta não diz nada até ranger. O aplicativo cuida da corrente e dos freios.', 'pt'],
    ['Tu bicicleta no dice nada hasta que chirría. La app cuida de la cadena y los frenos.', 'es'],
    ['Your bike says nothing until it squeaks. The app remembers the chain and the brakes.', 'en'],
    ['آپ کی سائیکل اس وقت تک خاموش رہتی ہے جب تک وہ چرچراتی نہیں', 'ur'],
    ['Koirasi elämä yhdessä kalenterissa, ja koko perhe näkee, onko koira jo ruokittu.', 'fi', 'fi'],
    ['Find loppemarkeder, før de gode ting er væk. Besked om nye markeder til dig.', 'da', 'dk'],
    ['η εφαρμογή θυμάται την αλυσίδα και τα φρένα του ποδηλάτου σου', 'el'],
  ])('%s: %s', (text, language, country = 'us') => expect(detectLanguage(text!, country)).toBe(language));
});

describe('shortenName', () => {
  it.each([
    ['Pebblo: Tiny Habit Tracker', 'Pebblo'],
    ['Coinbarn – Shared Budget Planner', 'Coinbarn'],
    ['コツコツ単語帳 - 毎日5分の英単語', 'コツコツ単語帳'],
    ['Snapsweep - Photo Cleaner, Duplicate Remover & Free Up Storage 2026', 'Snapsweep'],
    ['PocketMoney Bee 🐝 Chores & Allowance', 'PocketMoney Bee'],
    ['Recetario de la Abuela', 'Recetario de la Abuela'],
    ['BARBELL LEDGER: GYM LOG', 'BARBELL LEDGER'],
    ['Wo ist die Bahn? Abfahrten für Pendler', 'Wo ist die Bahn?'],
    ['Meine Wolke 🐶🐱 Wetter und Regen', 'Meine Wolke'],
    ['Belege sammeln & Haushaltsbuch', 'Belege sammeln & Haushaltsbuch'],
    ['Fogline', 'Fogline'],
    ['IKEA', 'IKEA'],
    ['Notes® Pro (2026)', 'Notes Pro'],
    ['The Very Long Name of an App that goes on', 'The Very Long Name of an App that goes on'],
    ['Caisse Commune, coloc et vacances', 'Caisse Commune, coloc et vacances'],
    ['Ostinato · Metronome', 'Ostinato'],
    ['Told By Dad (and Mom)', 'Told By Dad (and Mom)'],
  ])('%s -> %s', (name, short) => expect(shortenName(name).short).toBe(short));
});

describe('describeApp', () => {
  it('uses the maker’s own sentences, at most 400 characters', () => {
    for (const listing of listings) {
      const details = describeApp(sourceOf(listing), listing.developer);
      expect(details.length).toBeGreaterThan(40);
      expect(details.length).toBeLessThanOrEqual(400);
      const sentences = details.split(/(?<=[.!?]) /);
      expect(new Set(sentences).size, details).toBe(sentences.length);
    }
  });

  it('says what and by whom when the listing says nothing', () => {
    const empty: MaterialSource = { ...named('Fogline'), description: '' };
    expect(describeApp(empty, 'Ines Aldana')).toBe('Fogline · Weather · Ines Aldana · App Store');
  });
});

it('takes no summary whose last word was cut', () => {
  const description = "Fogline analyse vos courses et vos choix d'itinéraire.\n• Trace GPS de chaque poste";
  const cut = "Analysez vos courses d'orientation : splits, erreurs, cartes et choix d'itinér.";
  const coversOf = (summary: string) =>
    extractMaterial({ ...named('Fogline'), description, summary, language: 'fr' }).openings;
  expect(coversOf(cut)).not.toContainEqual(expect.stringContaining('Analysez'));
  expect(coversOf(cut.replace('itinér.', 'itinéraire.'))).toContainEqual(expect.stringContaining('Analysez'));
});

it('keeps the label of a list of fragments, and drops with its label a sentence that needs it', () => {
  const texts = (description: string, language: string) =>
    extractMaterial({ ...named('Fogline'), description, language }).lines.map(({ text }) => text);
  expect(
    texts(
      'Fogline te muestra el teclado entero.\n\nESCALAS\n› Mayores, menores. Con digitación sugerida',
      'es',
    ),
  ).toContain('Escalas: Mayores, menores. Con digitación sugerida.');
  const french =
    'Fogline vous montre la bonne coupe.\n\nLE CALENDRIER\nIl tient compte de votre commune : gelées, altitude, littoral.';
  expect(texts(french, 'fr')).toEqual(['Fogline vous montre la bonne coupe']);
});
