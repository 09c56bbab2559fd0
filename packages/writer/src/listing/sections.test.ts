import { expect, it } from 'vitest';
import { linesOf, named, readText, textsOf } from '../../test/listings.ts';
import { extractMaterial } from './material.ts';

it('keeps the heading of what the reader can do before each line of its list', () => {
  expect(textsOf('Fogline.\n\nCE QUE VOUS POUVEZ NOTER\n• Douleurs, humeur\n• Pilule, anneau', 'fr')).toEqual(
    ['Ce que vous pouvez noter : Douleurs, humeur', 'Ce que vous pouvez noter : Pilule, anneau'],
  );
});

it('takes an answer only with its question', () => {
  const text =
    'The bulletin, without the photocopier.\n\nQ: Our members are over seventy. Will they use it?\nA: The text is big. They scan the code in the porch once.\n\nQ: Which denomination?\nA: Any. You choose the calendar.';
  expect(textsOf(text)).toEqual([
    'The bulletin, without the photocopier',
    'Which denomination? Any. You choose the calendar.',
  ]);
});

it('keeps no heading that goes on with another list', () => {
  const list = '• The water rota, if your site has one\n• Photos, pinned to the bed';
  expect(textsOf(`Fogline draws your plot.\n\nIt also keeps:\n${list}`)[1]).toBe(
    'The water rota, if your site has one',
  );
});

it('reads the list under a sentence that has a word of the contract in it', () => {
  const text =
    'Fogline.\n\nFogline asks you three questions when you close the cover:\n1 - What happened?\n2 - When was it?\n\n✓ Lend a book\n✓ Scan an ISBN to add one';
  expect(textsOf(text)).toContain('Lend a book');
});

it('keeps the heading of infinitives with each of them', () => {
  const text =
    'Ge blod när det passar dig.\n\nI appen kan du\n• boka en tid hos oss\n• följa ditt blod på vägen';
  expect(textsOf(text, 'sv').slice(1)).toEqual([
    'I appen kan du: boka en tid hos oss',
    'I appen kan du: följa ditt blod på vägen',
  ]);
});

it('says the first steps together, and after them what the app does', () => {
  const text =
    '1. Snap the label\n2. Pick the year\n3. Done\n\nFogline keeps the year of each bottle.\n\n• Notes';
  expect(textsOf(text)).toEqual([
    'Snap the label. Pick the year. Done.',
    'Fogline keeps the year of each bottle',
  ]);
});

it.each([
  ['en', 'A score of the week\nrMSSD and resting heart rate', ['A score of the week']],
  ['en', 'Fogline will show you:\n• How often you sleep in\n• A score of the week', ['A score of the week']],
  [
    'pt',
    'Lembra da guia DAS no dia.\n\nDAS SEM ATRASO\nAvisa antes.',
    ['Lembra da guia DAS no dia', 'DAS sem atraso: Avisa antes'],
  ],
  ['en', '(English below)\n\n• Every path, offline', ['Every path, offline']],
  ['en', '1、History of fog\n2、Works offline', ['History of fog. Works offline.']],
  [
    'en',
    'Fogline walks with you.\n\nSTATION LISTS\ngrill, garmo and fry.',
    ['Fogline walks with you', 'Station lists: grill, garmo and fry'],
  ],
  ['en', '• Daily maps\n\nNew Version 8.6\n• Maps of harbours', ['Daily maps']],
  [
    'en',
    '• Daily maps\n• Monthly: USD 5.99\n• The <Fog at Sea> course',
    ['Daily maps', 'The <Fog at Sea> course'],
  ],
  ['en', '• Daily maps\n\nFrequently Question\nQ:Why no fog?\nA:Please wait for it.', ['Daily maps']],
  [
    'fr',
    'Fogline marche avec vous.\n\nTROUVER\nBrumomètre : réglez le son de la corne jusqu’à la vôtre.',
    ['Fogline marche avec vous', 'Brumomètre : réglez le son de la corne jusqu’à la vôtre'],
  ],
  ['en', '+ Know the fog of the day +', ['Know the fog of the day']],
  ['en', '★ Friday kolam (easy) ★\n★ Padi kolam ★', ['Friday kolam (easy)', 'Padi kolam']],
  [
    'de',
    '1. Mengeneingabe in Litern oder Flaschen und Gebinden.\nGramm bei Klasse\n2. Eine Liste der Ausrüstung mit Feuerlöscher,\nLadungssicherung\n3. Punktesumme mit Ampelanzeige und Vermerk zum Drucken',
    [
      'Mengeneingabe in Litern oder Flaschen und Gebinden',
      'Eine Liste der Ausrüstung mit Feuerlöscher, Ladungssicherung',
      'Punktesumme mit Ampelanzeige und Vermerk zum Drucken',
    ],
  ],
  [
    'fr',
    `Fogline vous indique les brumes autour de vous, avec l'heure${', le vent'.repeat(14)}.`,
    ['Fogline vous indique les brumes autour de vous'],
  ],
  ['de', '• Die App sagt dir, wann wieder eins frei wird\n• Karte für die Stadt', ['Karte für die Stadt']],
  ['hi', '• Gym at home\n• 30 दिन का डाइट चार्ट', ['30 दिन का डाइट चार्ट']],
  ['ar', '• مؤقت لكل طريقة تحضير: V60 وكيمكس', ['مؤقت لكل طريقة تحضير: V60 وكيمكس']],
  ['en', '• Every path, offline\n\nNOT INCLUDED\nNo shopping links. No feed.', ['Every path, offline']],
  ['fr', "• Beaucoup d'informations sur le jeu", ["Beaucoup d'informations sur le jeu"]],
  [
    'pt',
    'Mudas e sementes da época.\n\n*VENDER* anota o pedido da cliente',
    ['Mudas e sementes da época', 'Vender: anota o pedido da cliente'],
  ],
  ['en', '+Scan a code\n+Flash light for the dark', ['Scan a code', 'Flash light for the dark']],
  [
    'en',
    'Fogline walks with you.\n\nHOW LONG DOES IT TAKE?\nHonest answer: two to five days for most of the fog.',
    ['Fogline walks with you'],
  ],
  [
    'pt',
    '• Mapas do dia\n\nNÍVEIS\n1 – a mão não mexe ainda sem a outra\n2 – pega e solta\n3 – faz tarefas',
    ['Mapas do dia', 'A mão não mexe ainda sem a outra. Pega e solta. Faz tarefas.'],
  ],
  [
    'en',
    'Fogline walks with you.\n\n[MAPS + TIDES]\nsynced across devices if you sign in, local if not',
    ['Fogline walks with you', 'Maps + tides: synced across devices if you sign in, local if not'],
  ],
  [
    'de',
    'Wo ist der Nebel?\n\nDas ist die Frage. Die App beantwortet sie in einem Wort.\n\n• Karten für die Stadt',
    ['Karten für die Stadt'],
  ],
  [
    'en',
    '• Daily maps\n\nPLAN B, C AND D\nSay where you are now.',
    ['Daily maps', 'Plan B, C and D: Say where you are now'],
  ],
  [
    'fr',
    '• Les cartes du jour\n\nLE CASSE-TÊTE DU RQAP\nVos congés, vos semaines.\n\nLES KWH\nVos relevés, mois par mois.',
    [
      'Les cartes du jour',
      'Le casse-tête du RQAP : Vos congés, vos semaines',
      'Les kWh : Vos relevés, mois par mois',
    ],
  ],
  ['de', '► UHR: dran ist links 30°', ['UHR: dran ist links 30°']],
  ['en', 'RIP Biscuit. Lv. 31 on the map of Fogline.', ['RIP Biscuit. Lv. 31 on the map of Fogline.']],
  ['en', '√ Full timed exams\n&#127923; Lanes of the day', ['Full timed exams', 'Lanes of the day']],
  [
    'zh',
    '小步计是一款简单的计步应用。\n1、自动记录每天的步数和路线\n2、与朋友一起完成每周目标\n3、支持导出为表格\n4、无需注册，数据保存在本机的相册和日历里，随时可以导出',
    [
      '小步计是一款简单的计步应用',
      '自动记录每天的步数和路线。与朋友一起完成每周目标。支持导出为表格。',
      '无需注册，数据保存在本机的相册和日历里，随时可以导出',
    ],
  ],
  [
    'en',
    '• Full&#00; timed&#x1f; &#55357;exams\n• Lanes of the day',
    ['Full timed exams', 'Lanes of the day'],
  ],
  [
    'en',
    'Fogline walks with you.\n\nIt also does the sums that others do not show:\n• A cap for each day of the week',
    ['Fogline walks with you', 'A cap for each day of the week'],
  ],
  [
    'pt',
    '• Mapas do dia\n\nTIPOS DE JEJUM\n• Daniel tradicional\n• Daniel parcial\n• Só redes sociais',
    [
      'Mapas do dia',
      'Tipos de jejum: Daniel tradicional · Daniel parcial · Só redes sociais',
      'Daniel parcial',
      'Só redes sociais',
    ],
  ],
  [
    'en',
    `Fogline is a calm toy: push a button, the doors close, the numbers climb, and there is something new on each floor. An orchestra. ${'A dentist for sharks. '.repeat(3)}`,
    [
      'Fogline is a calm toy: push a button, the doors close, the numbers climb, and there is something new on each floor',
    ],
  ],
  [
    'de',
    'Der Verein.\n\n+++ TERMINE +++ Spiele und Turniere der Saison',
    ['TERMINE: Spiele und Turniere der Saison'],
  ],
  ['en', 'Step 1.Open the app\nStep 2.Hold a tag near', ['Open the app. Hold a tag near.']],
  [
    'en',
    'Fogline walks with you.\n\n"We had a binder from 2009."\n– A director, Arkansas\n\n• Maps of harbours',
    ['Fogline walks with you', 'Maps of harbours'],
  ],
  [
    'en',
    'Fogline walks with you.\n\nWHAT THEY ASK AT 1 A.M.\nThe map shows where the fog is.',
    ['Fogline walks with you', 'What they ask at 1 a.m.: The map shows where the fog is'],
  ],
  [
    'fr',
    'Vous roulez sans permis (Ligier, Ami…) ? Fogline vous guide.',
    ['Vous roulez sans permis (Ligier, Ami…) ? Fogline vous guide.'],
  ],
  [
    'en',
    'A scale of the wash.\n\n0-20 is great\n46-70 check the feet\n71+ stop the machine at once.',
    ['A scale of the wash'],
  ],
  [
    'en',
    'Fogline walks with you.\n\nWHAT YOU SEE OF THE FOG\nmaps of every county, offline.',
    ['Fogline walks with you', 'What you see of the fog: maps of every county, offline'],
  ],
  ['en', '• Daily maps\n\nTEST TYPES\n• RP, RPDA, RPDA-II', ['Daily maps', 'Test types: RP, RPDA, RPDA-II']],
  [
    'pt',
    '• Mapas do dia\n\n✅ GARAGEM\nDe frente e de ré (onde o estado cobra)',
    ['Mapas do dia', 'Garagem: De frente e de ré (onde o estado cobra)'],
  ],
  [
    'de',
    '• Karten vom Tag\n\nDas Fogline\n-> erinnert am dritten Tag an ein Foto',
    ['Karten vom Tag', 'Das Fogline erinnert am dritten Tag an ein Foto'],
  ],
  [
    'en',
    'Fogline walks with you.\n\nDay 4 — …\n\nFogline plans the walk for you.',
    ['Fogline walks with you', 'Fogline plans the walk for you'],
  ],
])('reads %s: %s', (language, text, lines) => {
  expect(textsOf(text, language)).toEqual(lines);
});

it('joins no line that would have had room for the next word', () => {
  const long =
    'Fogline is a place for letters that take as long as a real one does, for you and a pen pal far away.';
  const one = 'Find a pen pal by age, language and what you like to talk about';
  expect(textsOf(`${long}\n\n${one}\nCollect stamps from the places`)).toContain(one);
});

it('reads a list that "no bolso" stands over', () => {
  const text = 'Fogline.\n\nO que você leva no bolso:\n• Treinos de 3 a 6 vezes por semana';
  expect(textsOf(text, 'pt')).toEqual(['O que você leva no bolso: Treinos de 3 a 6 vezes por semana']);
});

it('takes the lines of a series without their ordinals', () => {
  const text =
    'Le ho messe in questa app.\n\nLa prima: la legna bagnata non scalda, affumica tutto.\nLa seconda: si accende dall’alto, con un video di un minuto.';
  expect(textsOf(text, 'it')).toEqual([
    'La legna bagnata non scalda, affumica tutto',
    'Si accende dall’alto, con un video di un minuto',
  ]);
  expect(textsOf('First, film the room. Then keep what matters to you.')[0]).toMatch(/^Film the room/);
  const series = 'Der erste: was war. Der zweite: was davon bleibt. Der dritte: frei.';
  expect(textsOf(series, 'de')).toEqual([series]);
  expect(readText(series, 'de').openings).toEqual([series]);
  expect(textsOf('Segunda: pernas e costas, com vídeo', 'pt')).toEqual([
    'Segunda: pernas e costas, com vídeo',
  ]);
});

it('strips marks of every kind, whole characters at a time', () => {
  expect(
    textsOf(`•  Rest days for everyone
👨‍👩‍👧‍👦 Share with your family
🇧🇷 Works in Brazil too
1️⃣ One list for the week
✔️ Reminders that wait
■ 24 sounds of the sea
➤ Export to a sheet
(2) Two homes in one plan
③ Three jars to save
[x] Tick off the week
- -20 degrees are no problem
– Starts again at 3 a.m.
+ iCloud sync for every photo
3 · A jar with ___ spoons a day
* Maps for the night 🌙✨`),
  ).toEqual([
    'Rest days for everyone',
    'Share with your family',
    'Works in Brazil too',
    'One list for the week',
    'Reminders that wait',
    '24 sounds of the sea',
    'Export to a sheet',
    'Two homes in one plan',
    'Three jars to save',
    'Tick off the week',
    '-20 degrees are no problem',
    'Starts again at 3 a.m.',
    'iCloud sync for every photo',
    'A jar with … spoons a day',
    'Maps for the night',
  ]);
});

it('strips Markdown and HTML', () => {
  expect(
    textsOf(`## What it does
* **Plan:** the whole week
* *One tap* to move a day
* A [map](https://maps.example) for the night!!
<li>Salt &amp; pepper for everyone</li><li>__Twelve__ pages to print</li>`),
  ).toEqual([
    'Plan: the whole week',
    'One tap to move a day',
    'A map for the night!',
    'Salt & pepper for everyone',
    'Twelve pages to print',
  ]);
});

it('keeps a question with its answer, and drops a German label in capitals', () => {
  const under = (label: string, text: string, language?: string) =>
    textsOf(`Fogline walks with you.\n\n${label}\n${text}\n\nMORE\nIt ends here.`, language)[1];
  const answer = `Tap once and the week is ${'planned and '.repeat(8)}yours again.`;
  expect(under('PLAN', `Say when and where you walk this week. Missed a day? ${answer}`)).toBe(
    'Plan: Say when and where you walk this week',
  );
  expect(under('ASK', `Is it normal? The guide asks you ${'and asks you '.repeat(12)}again.`)).toBe(
    'More: It ends here',
  );
  expect(under('THE DAY', `Push one button per watch. ${'It rolls for the weather '.repeat(8)}now.`)).toBe(
    'More: It ends here',
  );
  expect(under('SO LERNT IHR KIND', 'Der Lurch stellt kurze Aufgaben zusammen.', 'de')).toBe(
    'Der Lurch stellt kurze Aufgaben zusammen',
  );
});

it('lowers a short label, but no German one', () => {
  expect(textsOf('• Daily maps\n\nLOG\nRate the fog of the day.')).toContain('Log: Rate the fog of the day');
  expect(textsOf('• Karten\n\nVOB-GERECHT\nÖffnungen werden abgezogen.', 'de')).toContain(
    'VOB-GERECHT: Öffnungen werden abgezogen',
  );
});

it('shows a label once, and lowers one with brackets', () => {
  expect(
    textsOf(
      '• Daily maps\n\nMESSAGES\nMessages stay as they are.\n\nFOR KIDS (ages 3–8)\nMaps of the fog for you.',
    ),
  ).toEqual(['Daily maps', 'Messages stay as they are', 'For kids (ages 3–8): Maps of the fog for you']);
});

it('puts the heading of a series before none of it', () => {
  const series = ['Read — ten short chapters of fog', 'Drill — questions come back sooner'];
  expect(textsOf(`Fogline.\n\nSTUDY IN TWO GEARS\n${series.join('.\n')}.`)).toEqual(series);
});

it('keeps a label with its sentence', () => {
  expect(linesOf('Sprigly')).toContain(
    'Identify: Take a photo to identify over 12,000 houseplants, herbs and succulents',
  );
  expect(linesOf('Loafer')).toContain(
    'Bake: Steam on, lid off, done. Three alarms you can hear from the garden.',
  );
  expect(linesOf('Pillbird')).toContain('Smart reminders - rings until you tap, even on silent');
  expect(linesOf('Kehrwoche')).toContain('Punkte nach Aufwand: Das Klo zählt mehr als das Altglas');
  expect(linesOf('Völkerkartei')[1]).toMatch(/^SPRACHNOTIZEN: Diktieren Sie/);
});

it('reads headings in capitals above lines with an emoji each', () => {
  expect(
    textsOf(`📚 WHAT KIDS DO
🔤 Learn 44 sounds with songs
🧩 Build words by dragging letters

👩‍👧 WHAT PARENTS GET
✅ A weekly note about what went well

👪 ADD ALL OF THE FAMILY
Share your dog with everyone at home.

👪 USE THE ABC
Letters stay where they were dropped.

⭐️ Main Feature ⭐️
✅ Songs for the night, one for each letter

⭐⭐ MAIN FUNCTION ⭐⭐
✅ Words for the road, one for each mile`),
  ).toEqual([
    'Learn 44 sounds with songs',
    'Build words by dragging letters',
    'A weekly note about what went well',
    'Add all of the family: Share your dog with everyone at home',
    'Use the ABC: Letters stay where they were dropped',
    'Songs for the night, one for each letter',
    'Words for the road, one for each mile',
  ]);
});

it('puts a heading that its list completes before the lines of that list alone', () => {
  expect(
    textsOf(`Filter by:
◦ Length of the walk in minutes
◦ Buggy, carrier or own legs

Fogline helps walkers to:
• Find a loop that ends at ice cream

Sit down with it. It takes an hour of all of you:
• What is our signal? A road or a smell.

• Pictures of every gate and stile`),
  ).toEqual([
    'Filter by: Length of the walk in minutes',
    'Filter by: Buggy, carrier or own legs',
    'Find a loop that ends at ice cream',
    'What is our signal? A road or a smell.',
    'Pictures of every gate and stile',
  ]);
});

it('keeps a question with the answer below it', () => {
  expect(
    textsOf(`Walk at night.

What does it cost?
Nothing for walkers. Hotels pay for it.`),
  ).toContain('What does it cost? Nothing for walkers. Hotels pay for it.');
  expect(textsOf('Marchez.\n\n🕘 Est-ce ouvert ?\nLes horaires sont ceux des gardiens.', 'fr')).toEqual([
    'Est-ce ouvert ? Les horaires sont ceux des gardiens.',
  ]);
});

it('goes on after a section about the price at the next heading with a gap above it', () => {
  expect(
    textsOf(
      `Bauen ohne Sorgen.

Kosten
Angebote vergleichen, Rechnungen sammeln.
Basis
Zehn Rechnungen im Monat sind dabei.

Termine
Verschiebt sich der Estrich, verschiebt sich der Rest mit.`,
      'de',
    ),
  ).toEqual(['Termine: Verschiebt sich der Estrich, verschiebt sich der Rest mit']);
});

it('reads a question in capitals as a heading, and a mark after a label as a colon', () => {
  const { lines, openings } = readText(`Maps for the fog of the morning.

¿QUÉ ES FOGLINE?
A calendar that looks at the weather of this week.
▸ MAPS ▸ Every path in the county, offline
▸ AGES ▸ 2-5 | 6-8 | 9-12
Changelog 3.1: new icon, fewer clouds`);
  expect(openings).toEqual(['Maps for the fog of the morning']);
  expect(lines.map(({ text }) => text)).toEqual([
    'Maps for the fog of the morning',
    '¿QUÉ ES FOGLINE? A calendar that looks at the weather of this week.',
    'Maps: Every path in the county, offline',
  ]);
});

it('reads "Q:" and "A:" as marks, and joins the steps of a series', () => {
  expect(
    textsOf(`Maps for the night.

Q: Which countries?
A: Ireland and the Netherlands, by county.
Q. What happens offline?
A. Nothing changes for you.

HOW IT WORKS
1. Take a picture
2. Name the hour
3. Open the door`),
  ).toEqual([
    'Maps for the night',
    'Which countries? Ireland and the Netherlands, by county.',
    'What happens offline? Nothing changes for you.',
    'Take a picture. Name the hour. Open the door.',
  ]);
});

it('puts no count and no "What it has" before the first line of its list alone', () => {
  expect(textsOf('Ear training.\n\nThree exercises:\n• Higher or lower\n• Name the interval')).toContain(
    'Higher or lower',
  );
  expect(textsOf('Zettel.\n\nWas sie hat:\n– Suche mit Tippfehlern\n– Export als Text', 'de')).toContain(
    'Suche mit Tippfehlern',
  );
});

it('joins a line that was wrapped before a capital', () => {
  const text =
    'Tides for every coast.\n\nMore than 4,000 harbors in\nEurope and North America.\n\nSign in\nOne tap, no password, no mail.';
  expect(textsOf(text)).toContain('More than 4,000 harbors in Europe and North America');
  expect(textsOf(text)).toContain('Sign in: One tap, no password, no mail');
  const wide = 'Books and words of yours are stored on the device. Export and import\nZIP packages.';
  expect(textsOf(wide)).toEqual([wide.replace('\n', ' ')]);
});

it('keeps quotation marks', () => {
  expect(
    textsOf(
      'Recetas de casa para todos los días.\n\nQué más hace\n\n– Cocina que avanza cuando dices «siguiente»\n– Carpetas por persona',
      'es',
    ),
  ).toEqual([
    'Recetas de casa para todos los días',
    'Cocina que avanza cuando dices «siguiente»',
    'Carpetas por persona',
  ]);
  expect(extractMaterial(named('Pillbird')).openings[0]).toBe('Never wonder "did I take it?" again!');
  expect(linesOf('Bancal')).toContain('«¿Qué le pasa a mi tomate?»: haz una foto y compara con 40 plagas');
  expect(linesOf('Doorstep')).toContain('"Who broke the blind?" Notes stay with the photo, not in a chat.');
  expect(extractMaterial(named('Mijote')).openings[0]).toBe(
    "« Qu'est-ce qu'on mange ce soir ? » Mijote répond avant que vous n'ouvriez le frigo.",
  );
  expect(extractMaterial(named('ごみの日')).openings[0]).toBe('「今日は何のごみの日だっけ?」がなくなります');
});

it('takes what is said before the first list alone for what the app does', () => {
  const { lines } = readText(
    'Fogline logs every shoe you run in.\n\n• A bar for each pair shows its wear\n\nYour data stays in your own cloud.',
  );
  expect(lines.filter(({ isPitch }) => isPitch).map(({ text }) => text)).toEqual([
    'Fogline logs every shoe you run in',
  ]);
});

it('lowers a label in capitals, but no acronym and no German one', () => {
  const lines = [
    'SLEEP DIARY: a minute each morning',
    'OCR TEXT: in 42 languages',
    'PASSEIO: marque quem levou',
    'LE SAC : doudou, lunettes et affaires de judo',
    '8 WORLDS, 75+ MOLES: each with a boss',
    "CAN'T WE LEAVE? Say when you fly.",
    'INSTANT ALERT in every street around you',
    'NASA pictures of the day, each with its story',
    'WEED ID: a photo of the leaf',
    'TRIAL R489: a question a day',
  ];
  expect(textsOf(lines.map(line => `• ${line}`).join('\n'))).toEqual([
    'Sleep diary: a minute each morning',
    'OCR text: in 42 languages',
    'Passeio: marque quem levou',
    'Le sac: doudou, lunettes et affaires de judo',
    '8 worlds, 75+ moles: each with a boss',
    "Can't we leave? Say when you fly.",
    'Instant alert in every street around you',
    'NASA pictures of the day, each with its story',
    'Weed ID: a photo of the leaf',
    'Trial R489: a question a day',
  ]);
  const steps = '1 Photograph the panel in daylight.\n2 Walk around with a lamp in your hand.';
  expect(textsOf(steps).join()).not.toMatch(/\d/);
  const german = '• MISCHKULTUR: gute Nachbarn\n• MINIJOB-WÄCHTER: warnt früh\n• GUTE NACHBARN: auf Papier';
  expect(textsOf(german, 'de')).toEqual([
    'MISCHKULTUR: gute Nachbarn',
    'MINIJOB-WÄCHTER: warnt früh',
    'GUTE NACHBARN: auf Papier',
  ]);
});

it('reads a paragraph that is longer than a line may be', () => {
  const long = 'Each circle has its own sound, so that you know from the next room which one it is. '.repeat(
    8,
  );
  const [, last] = textsOf(`${long}Tap your circle on the watch and it starts again.`);
  expect(last).toBe('Tap your circle on the watch and it starts again');
});

it('puts what the app does before what it does not, however long that heading is', () => {
  const listing = `Was die App kann:
• Ausgaben in drei Sekunden erfassen

Was die App nicht kann (und auch nie können wird):
• Dein Konto abfragen`;
  expect(textsOf(listing, 'de')).toEqual(['Ausgaben in drei Sekunden erfassen']);
});

it('puts no "What else is inside" before each line of a list', () => {
  expect(
    textsOf(
      'Fog by the hour\n\nWhat else is inside:\n\n- Project pages with yarn\n- Gauge converter for wool',
    ),
  ).toEqual(['Fog by the hour', 'Project pages with yarn', 'Gauge converter for wool']);
});

it('joins a sentence to the one that it needs, and leaves it out without', () => {
  expect(
    textsOf('Pick a habit that you can do in two minutes. It grows by itself when you are ready.'),
  ).toEqual(['Pick a habit that you can do in two minutes. It grows by itself when you are ready.']);
  expect(textsOf('Rated 4.8 stars by everyone we know. It grows by itself when you are ready.')).toEqual([]);
  expect(textsOf('Find your car. Feed the meter. Avoid the ticket.')).toEqual([
    'Find your car. Feed the meter. Avoid the ticket.',
  ]);
});

it('joins wrapped lines, reads plain lines as a list, and skips sections about the contract and the press', () => {
  expect(
    textsOf(`A notebook for people who walk at night.

FEATURES
- A map that shows where
the street lights are
- Notes by voice

REVIEWS
Wonderful from the first day to the last.

MORE FOR YOU
Set lists everyone can reorder
Lyrics that scroll with the tempo
A page for each night on the road

PRIVACY
Nothing leaves the phone of the walker.`),
  ).toEqual([
    'A notebook for people who walk at night',
    'A map that shows where the street lights are',
    'Notes by voice',
    'Set lists everyone can reorder',
    'Lyrics that scroll with the tempo',
    'A page for each night on the road',
  ]);
});

it.each([
  ['spaces', '• x', ' ', 'y'],
  ['wide spaces', '• x', '\u3000', 'y'],
  ['spaces behind a label', 'ABCD: ', ' ', 'y'],
  ['emoji and spaces', '• x', '😀 ', 'y'],
  ['variation selectors', '• abc def', '\ufe0f', 'y'],
  ['blank lines in capitals', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ. ', '\n', '!'],
  ['long lines', '• x', `${'😀 '.repeat(160)}y\n• x`, 'y'],
  ['stars', 'x ', '*a', 'y'],
  ['signs', '', '*A', 'y'],
  ['rows', 'x', '\nrow of things', 'y'],
  ['numbers', 'x ', '1 000 ', 'y'],
  ['brackets', 'x ', '[a](', 'y'],
  ['tags', 'x ', '<a', 'y'],
  ['headings', 'x', '\nTITLE\nA sentence that is here.\n', 'y'],
  ['short sentences', 'x ', 'Ab cd. ', 'y'],
])('reads 10,000 characters of %s in milliseconds', (_what, first, repeated, last) => {
  const room = 10_000 - first.length - last.length;
  const description = first + repeated.repeat(room / repeated.length) + last;
  const tookMs = Array.from({ length: 5 }, (_, i) => {
    const before = process.threadCpuUsage();
    // A listing that was read before is remembered.
    readText(`${description}${i}`);
    return process.threadCpuUsage(before).user / 1000;
  });
  // Up to 40 ms; a pattern that takes the square of the length needs 270 to 2,000.
  expect(Math.min(...tookMs)).toBeLessThan(200);
});
