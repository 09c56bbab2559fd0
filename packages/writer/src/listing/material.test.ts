import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Listing, sourceOf } from '../../eval/decks.ts';
import { describeApp } from '../app-details.ts';
import { hasClaim, isLegal } from '../text-filters.ts';
import { readAudiences } from './audiences.ts';
import { detectLanguage } from './language.ts';
import { extractMaterial, type MaterialSource } from './material.ts';
import { lowerShouting } from './phrasing.ts';
import { shortenName } from './short-name.ts';

const read = (file: string) =>
  JSON.parse(
    readFileSync(new URL(`../../eval/listings/${file}.json`, import.meta.url), 'utf8'),
  ) as (Listing & { language?: string })[];
const samples = read('sample');
const listings = [...samples, ...read('messy'), ...read('makers')];
const named = (name: string) => sourceOf(listings.find(listing => listing.name.startsWith(name))!);
const linesOf = (name: string) => extractMaterial(named(name)).lines.map(({ text }) => text);
const readText = (description: string, language = 'en') =>
  extractMaterial({ name: 'Fogline', description, category: null, country: 'us', store: 'apple', language });
const textsOf = (description: string, language = 'en') =>
  readText(description, language).lines.map(({ text }) => text);

describe('extractMaterial', () => {
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

  it.each([
    ['en', 'Counts every row that you knit, sleeve or sock.\n\nHappy knitting!\nJo'],
    ['de', 'Zeigt dir Wege mit Bach und viel Matsch.\n\nGute Wege wünschen\nJo'],
    ['es', 'Podés borrar todo lo que escribiste cada noche.\n\nUn abrazo'],
    ['pt', 'Você fala e o vídeo do ponto repete devagar.\n\nUm beijo e boas carreiras!'],
    ['fr', 'Vous notez le métrage et la matière du coupon.\n\nBonne couture !'],
    ['it', 'Ti dice quando la legna è pronta per la stufa.\n\nA presto'],
  ])('takes no sign-off of a letter in %s', (language, text) => {
    const { lines, openings } = readText(text, language);
    expect([lines.length, openings.length]).toEqual([1, 1]);
  });

  it("goes on after the maker's story with what the app does", () => {
    const text =
      'I wrote Fogline to save our recipes. You photograph a card and the app reads the handwriting.\n\nSince then it has grown. You can scale a recipe while you cook.';
    expect(textsOf(text)).toEqual([
      'You photograph a card and the app reads the handwriting',
      'You can scale a recipe while you cook',
    ]);
  });

  it.each([
    ['en', '• 22 ports\n• Notes by voice\n\nChanges in 4.1: 22 new ports on the west coast; larger text.'],
    ['de', '• Suche mit Tippfehlern\n• Hilfe anbieten\n• Blumen gießen\n\nDas Gartenzaun-Team'],
    [
      'pt',
      'Guarda foto, peso e lugar de cada peixe que você pega.\n\nMede o nível do rio e a lua sem você pedir.\n\nO mapa funciona sem sinal no meio do rio.\n\nConfira sempre a legislação do estado.',
    ],
  ])('takes nothing of how a listing ends in %s', (language, text) => {
    const [last] = text.split('\n').slice(-1);
    expect(textsOf(text, language).filter(line => last!.startsWith(line))).toEqual([]);
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

  it('keeps the heading of what the reader can do before each line of its list', () => {
    expect(
      textsOf('Fogline.\n\nCE QUE VOUS POUVEZ NOTER\n• Douleurs, humeur\n• Pilule, anneau', 'fr'),
    ).toEqual(['Ce que vous pouvez noter : Douleurs, humeur', 'Ce que vous pouvez noter : Pilule, anneau']);
  });

  it('takes an answer only with its question', () => {
    const text =
      'The bulletin, without the photocopier.\n\nQ: Our members are over seventy. Will they use it?\nA: The text is big. They scan the code in the porch once.\n\nQ: Which denomination?\nA: Any. You choose the calendar.';
    expect(textsOf(text)).toEqual([
      'The bulletin, without the photocopier',
      'Which denomination? Any. You choose the calendar.',
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

  it('takes no rows of a table, no warning and nothing with a cross before it', () => {
    expect(textsOf('✅ Plano diário a partir do edital\n❌ Não tem grupo de motivação', 'pt')).toEqual([
      'Plano diário a partir do edital',
    ]);
    expect(textsOf('Your car has a price.\n\nFEATURES\nPetrol, diesel, gas | yes\nLog book | no')).toEqual([
      'Your car has a price',
    ]);
    expect(textsOf('Attenzione: installate sempre un rilevatore di fumo.', 'it')).toEqual([]);
  });

  it('keeps no heading that goes on with another list', () => {
    const list = '• The water rota, if your site has one\n• Photos, pinned to the bed';
    expect(textsOf(`Fogline draws your plot.\n\nIt also keeps:\n${list}`)[1]).toBe(
      'The water rota, if your site has one',
    );
  });

  it.each([
    ['pl', 'Ile to kosztuje\nDo 60 produktów za darmo, a potem jednorazowo.'],
    ['tr', 'Ücretli mi?\nHayır, arada bir reklam çıkar.'],
    ['ko', '자주 묻는 질문\n무료인가요? 네, 광고가 조금 있습니다.'],
    ['zh', '【会员】\n到期前24小时自动续费。'],
    ['pt', '💬 O que dizem as bordadeiras\n"Amei!" Cida'],
  ])('takes no price, question or praise in %s', (language, section) => {
    expect(textsOf(`• Koko 12\n• Lulu 78\n\n${section}`, language)).toEqual(['Koko 12', 'Lulu 78']);
  });

  it('reads the list under a sentence that has a word of the contract in it', () => {
    const text =
      'Fogline.\n\nFogline asks you three questions when you close the cover:\n1 - What happened?\n2 - When was it?\n\n✓ Lend a book\n✓ Scan an ISBN to add one';
    expect(textsOf(text)).toContain('Lend a book');
  });

  it('knows the app by the first word of its name where the listing says no more', () => {
    const source = {
      name: 'Fogline Migraine Log',
      category: null,
      country: 'us',
      store: null,
      language: 'en',
    };
    const description =
      'Press it. Fogline notes the time, the pressure and the weather, and leaves you alone.';
    expect(extractMaterial({ ...source, description }).lines).toHaveLength(1);
  });

  it.each([
    ['es', 'Fogline hace tu maleta.', 'Puedes compartirla con tu pareja para no llevar dos secadores.'],
    ['it', 'Fogline prepara la valigia.', 'Puoi condividerla con chi parte con te e la riempite insieme.'],
    ['fr', 'Fogline prépare la valise.', 'Vous pouvez la partager avec la personne qui part avec vous.'],
  ])('takes no sentence with a pronoun of the one before it in %s', (language, first, next) => {
    expect(textsOf(`${first}\n\n${next}`, language)).toEqual([first.slice(0, -1)]);
  });

  it.each([
    ['de', 'Was bringt sie?\nNach zwei Wochen wissen Sie, was Ihnen guttut.'],
    ['en', 'Can I scan it?\nPoint the camera at the label of the bottle.'],
    ['de', 'Häufige Fragen\n\nWie verdient ihr Geld?\nMit freiwilligen Beiträgen.'],
    ['en', 'FAQ\n\nWhy does it update every 30 seconds?\nAndroid throttles scans of the air around.'],
    ['en', 'INSTALLATION\nChoose your watch from the list next to the button.'],
    ['zh', '【訂閱】\n免費版可追蹤一條路線'],
    ['en', '- Deposit checks with the camera¹\n- Pay your friends with Zelle®²\n- Free shipping*'],
    ['en', `How to connect:\n${'1. Take the phone and tap its screen twice to start it\n'.repeat(4)}`],
  ])('takes nothing that needs what no slide has, in %s: %s', (language, text) => {
    expect(textsOf(`• Koko 12\n\n${text}`, language)).toEqual(['Koko 12']);
  });

  it('keeps the heading of infinitives with each of them', () => {
    const text =
      'Ge blod när det passar dig.\n\nI appen kan du\n• boka en tid hos oss\n• följa ditt blod på vägen';
    expect(textsOf(text, 'sv').slice(1)).toEqual([
      'I appen kan du: boka en tid hos oss',
      'I appen kan du: följa ditt blod på vägen',
    ]);
  });

  it('ends no sentence at an abbreviation before a number', () => {
    const text = 'Pakk en pose i str. 86 og få en pose i str. 92 fra en familie i nærheden';
    expect(textsOf(`${text}.`, 'no')).toEqual([text]);
  });

  it('opens with the summary before a later paragraph, and with no question in broken English', () => {
    const openingsOf = (description: string, summary: string | null) =>
      extractMaterial({ ...named('Fogline'), description, summary }).openings;
    const [first] = openingsOf('Fogline.\n\nFog from the pier to the hills.', 'Fog where you walk');
    const praised = '« On en rêve. » 17/20, Manette & Plume\n\nDu brouillard à lire.';
    expect(openingsOf(praised, null)).toEqual(['Du brouillard à lire']);
    expect(first).toBe('Fog where you walk');
    const told = 'Maps of fog drawn by hand. We walked for a year.\n\nTell us where you are. Get three maps.';
    expect(openingsOf(told, null)).not.toContain('Maps of fog drawn by hand');
    const { openings } = extractMaterial({
      ...named('Fogline'),
      name: 'Fogline: Maps of Fog',
      description: told,
    });
    expect(openings[0]).toBe('Maps of fog drawn by hand');
    expect(textsOf(told)).toEqual(['Tell us where you are. Get three maps.']);
    expect(textsOf('Tell us what you think of the fog on your map.')).toEqual([]);
    const items = '- Fog at night\n- Fog by day\n- Fog of a year\n- Zoom upto 9';
    expect(openingsOf(`Your fog hard to see?\n\n${items}`, null)).toEqual([]);
    expect(openingsOf('CHART – See the fog from above.\n\nHORNS – Hear it from afar.', null)).toEqual([]);
  });

  it.each([
    'Gotthard, Bareggg and Gubrist',
    'Free for 10days of walks',
    'A quick,easy way to scan',
    'An easy (and quick way to scan',
    'Reads the "label of a bottle',
    'This app contain 500 stories',
    'Convert a photo in just few taps',
    'Stories in english and hindi',
    'Fogline is fastest QR code reader app',
    'Fogline reads a label which is automatically tracking wine',
    'Strobe mode whose frequency can be adjust',
  ])('takes no line with a typing error: %s', text => expect(textsOf(`• ${text}`)).toEqual([]));

  it('takes nothing from the notes of a version, and no list of people without "for"', () => {
    const notes = '\n\nVersion 3.0\n- „Döner“ und „Doener“ zählen gleich';
    expect(textsOf(`• Karten aus der Nähe${notes}`, 'de')).toEqual(['Karten aus der Nähe']);
    expect(textsOf('• Карты рядом\n\nВерсия 4.1:\n• исправлен сброс счётчика', 'ru')).toEqual([
      'Карты рядом',
    ]);
    expect(textsOf('• Maps nearby\n\nCOMPATIBLE DEVICES\nGarmin HRM-Dual, HRM-Pro Plus')).toEqual([
      'Maps nearby',
    ]);
    expect(
      textsOf(
        '• Karten\n• Orte suchen\n\nGEEIGNET FÜR\nVereine, Betriebe, Elternabende, Teams, Chöre, Clubs',
        'de',
      ),
    ).toEqual(['Orte suchen']);
    expect(textsOf('• Πότε έρχεται το λεωφορείο;', 'el')).toEqual(['Πότε έρχεται το λεωφορείο;']);
    expect(textsOf("• Maps nearby\n\nWHO IT'S FOR\n• Photographers, notaries, anyone with a 1099")).toEqual([
      'Maps nearby',
    ]);
  });

  it('keeps an ordinal with its noun, and the capitals of codes', () => {
    expect(textsOf('• Für Kinder der 1. und 2. Klasse', 'de')).toEqual(['Für Kinder der 1. und 2. Klasse']);
    expect(textsOf('• FAR 117, FAR 135, EASA FTL, CAR 700')).toEqual(['FAR 117, FAR 135, EASA FTL, CAR 700']);
  });

  it('has a long first sentence as the cover rather than the bare name', () => {
    const pitch = `Fogline draws maps for everyone who walks in the fog, ${'from pier to pier, '.repeat(4)}to the hills`;
    const description = `${pitch}.`;
    expect(extractMaterial({ ...named('Fogline'), description, summary: null }).covers).toEqual([pitch]);
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
    ['a broken sentence', 'Fogline', 'This app contain 500 stories.'],
    ['a phrase of another language', 'Fogline', 'Know the fault before to visit the garage.'],
    ['"APP" in a sentence', 'Fogline', 'Fogline is a smart APP for fog.'],
    ['two verbs for one', 'Fogline', 'You are look like a king of the fog.'],
    ['a name of keywords', 'Cat Translator Meow Sounds Talk', 'You remix them into cool collage.'],
  ])('takes short items alone of a listing with %s', (_, name, text) => {
    const description = `${text}\n\n• Daily notes\n• Sleep timer\n• Night mode\n• Alarm when the charger disconnect`;
    const source = { name, description, category: null, country: 'us', store: null, language: 'en' };
    expect(extractMaterial(source).lines.map(line => line.text)).toEqual([
      'Daily notes',
      'Sleep timer',
      'Night mode',
    ]);
  });

  it.each([
    ['en', 'Hear it. Name it. Sing it back.\n\n• Sing', 'Hear it. Name it. Sing it back.'],
    [
      'es',
      'La ropa de los niños se queda pequeña en tres meses. Véndela en tres minutos.\n\n• Chat',
      'La ropa de los niños se queda pequeña en tres meses. Véndela en tres minutos.',
    ],
    ['el', 'Πότε έρχεται το λεωφορείο;\n\n• Στάσεις', 'Πότε έρχεται το λεωφορείο;'],
    ['zh', '睡不着?先别数羊。\n\n• 离线可用', '睡不着?先别数羊'],
  ])('opens with all that a pronoun, a question or a short script needs in %s', (language, text, cover) => {
    expect(readText(text, language).openings[0]).toBe(cover);
  });

  it.each([
    ['en', 'A score of the week\nrMSSD and resting heart rate', ['A score of the week']],
    [
      'en',
      'Fogline will show you:\n• How often you sleep in\n• A score of the week',
      ['A score of the week'],
    ],
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
  ])('reads %s: %s', (language, text, lines) => {
    expect(textsOf(text, language)).toEqual(lines);
  });

  it.each([
    ['ja', '・GPSでお知らせします\n・曜日、天気、予定に合わせる', 2],
    ['en', 'A timer and 4,000 photos for people who draw.', 1],
    ['de', 'Sie sagen, was reif ist.\n\n• Kalender für das ganze Jahr', 2],
  ])('takes each line of %s: %s', (language, text, count) => {
    expect(textsOf(text, language)).toHaveLength(count);
  });

  it('closes the space before a full stop', () => {
    expect(textsOf('• Scan a label : it is read . Keep it !')).toEqual([
      'Scan a label: it is read. Keep it!',
    ]);
    expect(textsOf('• Scannez : lisez .', 'fr')).toEqual(['Scannez : lisez']);
  });

  it.each([
    ['fr', 'Conformes : numérotation continue', 'Signature du devis à l’écran'],
    ['es', 'Adaptadas a la edad del bebé', 'Menús de la semana'],
  ])('takes no line whose noun is in another one in %s', (language, line, other) => {
    expect(textsOf(`Fogline.\n\n• ${line}\n• ${other}`, language)).toEqual([other]);
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
    expect(textsOf('Segunda: pernas e costas, com vídeo', 'pt')).toEqual([
      'Segunda: pernas e costas, com vídeo',
    ]);
  });

  it.each([
    ['es', 'Esta app es ese cuaderno que llevaba siempre en el bolso.'],
    ['it', 'Non per fare la spia, ma perché così nessuno deve più chiederlo per le scale.'],
    ['en', 'Not theory from a magazine but your own water and your own fish.'],
  ])('takes no sentence that begins in the middle of a thought in %s', (language, sentence) => {
    expect(textsOf(sentence, language)).toEqual([]);
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

  it('keeps a label with its sentence', () => {
    expect(linesOf('Sprigly')).toContain(
      'Identify: Take a photo to identify over 12,000 houseplants, herbs and succulents',
    );
    expect(linesOf('Loafer')).toContain(
      'Bake: Steam on, lid off, done. Three alarms you can hear from the garden.',
    );
    expect(linesOf('Pillbird')).toContain('Smart reminders - rings until you tap, even on silent');
    expect(linesOf('Kehrwoche')).toContain('Punkte nach Aufwand: Das Klo zählt mehr als das Altglas');
    expect(linesOf('Völkerkartei')[1]).toMatch(/^Sprachnotizen: Diktieren Sie/);
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
Letters stay where they were dropped.`),
    ).toEqual([
      'Learn 44 sounds with songs',
      'Build words by dragging letters',
      'A weekly note about what went well',
      'Add all of the family: Share your dog with everyone at home',
      'Use the ABC: Letters stay where they were dropped',
    ]);
  });

  it('begins a cover with the scene that its question asks about, and no slide with what it points at', () => {
    const scene = 'Dienstag um drei am See, zwei sind schon dabei.';
    const { openings } = readText(`${scene} Kommen Sie dazu?\n\nDie Bank bringt Menschen zusammen.`, 'de');
    expect(openings[0]).toBe(`${scene} Kommen Sie dazu?`);
    expect(openings).not.toContain('Kommen Sie dazu?');
    expect(
      textsOf('Quiz per la patente.\n\nCOSA TROVI\n✔ Oltre 7.000 quiz\n✔ Manuale con figure', 'it'),
    ).toEqual(['Quiz per la patente', 'Oltre 7.000 quiz', 'Manuale con figure']);
  });

  it('puts a heading that its list completes before the lines of that list alone', () => {
    expect(
      textsOf(`Filter by:
◦ Length of the walk in minutes
◦ Buggy, carrier or own legs

Fogline helps walkers to:
• Find a loop that ends at ice cream

• Pictures of every gate and stile`),
    ).toEqual([
      'Filter by: Length of the walk in minutes',
      'Filter by: Buggy, carrier or own legs',
      'Find a loop that ends at ice cream',
      'Pictures of every gate and stile',
    ]);
  });

  it('puts a clause that its list completes before its lines, and leaves out what there is not', () => {
    expect(
      textsOf(
        `Was du einstellen kannst:
• wann du geweckt wirst
• Ton: leise oder laut

Was du nicht bekommst:
• Werbung von irgendwem`,
        'de',
      ),
    ).toEqual(['Was du einstellen kannst: wann du geweckt wirst', 'Ton: leise oder laut']);
    expect(textsOf('Fogline.\nCe que vous réglez\n- le son de la mer', 'fr')).toEqual([
      'Ce que vous réglez : le son de la mer',
    ]);
    expect(textsOf('Fogline.\nWhat Fogline does\n- Maps for the night\n- Notes by voice')).toEqual([
      'Maps for the night',
      'Notes by voice',
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

  it('keeps the question above an answer whatever it asks, and leaves out a bare one', () => {
    expect(
      textsOf(`Arrive awake.

WHY LIGHT?
Because your body clock listens to it more than to sleep.

🚀 Why choose this?
• Plans for every flight
• Who needs sleep?`),
    ).toContain('Why light? Because your body clock listens to it more than to sleep.');
    expect(
      textsOf('Arrive awake.\n\n🌍 Plans for a week\n\n🚀 Why this?\n• Plans for a day\n• Who needs sleep?'),
    ).toEqual(['Plans for a week', 'Plans for a day']);
  });

  it('reads no word of the name as the subject of a heading, and a clause before its list as no pronoun', () => {
    const description =
      'Nebel.\n\nNebel Pro kann:\n• Karten für die Nacht zeigen\n\nDas erwartet dich:\n• Töne vom Meer';
    const app = {
      name: 'Nebel Pro',
      description,
      category: null,
      country: 'de',
      store: null,
      language: 'de',
    };
    expect(extractMaterial(app).lines.map(({ text }) => text)).toEqual([
      'Karten für die Nacht zeigen',
      'Töne vom Meer',
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

  it('splits no brackets, and leaves out a short sentence behind one that is left out', () => {
    expect(
      textsOf(
        'By eight the last bird joins in and sings along. (If you sleep on, there is a cockerel. Nobody sleeps through it.)',
      ),
    ).toEqual([
      'By eight the last bird joins in and sings along. (If you sleep on, there is a cockerel. Nobody sleeps through it.)',
    ]);
    expect(textsOf('Lower the heating and save 87 € a year. Not in an average home.')).toEqual([]);
  });

  it('begins a line with a capital, but not iCloud', () => {
    expect(textsOf('• maps that work offline\n• iCloud sync for maps')).toEqual([
      'Maps that work offline',
      'iCloud sync for maps',
    ]);
  });

  it('opens with the whole of a short paragraph', () => {
    expect(readText('The recipes are in her head. Record them before it is too late.').openings[0]).toBe(
      'The recipes are in her head. Record them before it is too late.',
    );
  });

  it('reads a question in capitals as a heading, and an arrow after a label as a colon', () => {
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

  it('opens with no sentence in brackets alone', () => {
    expect(readText('Sleep, little one. (And you too.)').openings).toEqual([
      'Sleep, little one. (And you too.)',
      'Sleep, little one',
    ]);
  });

  it('opens with no bare question about the steps, and lowers capitals before it splits them', () => {
    const { openings } = readText(`THE TRAIL IS NOT WHAT LIES BETWEEN TWO PLACES. IT IS THE PLACE.

How does it work? Every Sunday the map is drawn again.`);
    expect(openings).toEqual([
      'The trail is not what lies between two places. It is the place.',
      'The trail is not what lies between two places',
      'How does it work? Every Sunday the map is drawn again.',
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

  it('opens with the first line of a listing that marks it', () => {
    const text = '🐶 Your dog just does not speak English yet. 🐶\n\n⭐️⭐️⭐️⭐️⭐️ Rated 4.8 by dog parents!';
    expect(readText(text).openings[0]).toBe('Your dog just does not speak English yet');
  });

  it('does not open with what the maker says of itself', () => {
    const text = 'Fogline is the lesson I wish I had had.\n\nDid I practise today? Ten minutes are enough.';
    expect(readText(text).openings[0]).toBe('Did I practise today? Ten minutes are enough.');
  });

  it('opens with "That" and the sentence that says what it is', () => {
    const text =
      'That spider plant has had babies again. Somebody two streets away wants one.\n\nSwap plants nearby.';
    expect(readText(text).openings).toEqual([
      'That spider plant has had babies again. Somebody two streets away wants one.',
      'Swap plants nearby',
    ]);
  });

  it.each([
    ['en', "That blue. You'll never get it again. Unless you wrote it down."],
    ['en', "It's not dead. It's probably overwatered."],
    ['de', 'Das Heft für alle, die vergessen'],
    ['de', 'Das rote Heft liegt wieder im Bus. Deine Notizen nicht.'],
    ['fr', 'Ce soir, vous sortez. Vos voisins gardent les enfants.'],
    ['es', 'Eso que dijiste en el coche. Aquí no se pierde.'],
    ['pt', 'Isso que você anotou no guardanapo. Aqui não se perde.'],
  ])('opens in %s with "%s"', (language, opening) => {
    const text = `${opening}\n\n• One line for each day\n• Another one for the night`;
    expect(readText(text, language).openings[0]).toBe(opening);
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
    ['en', 'Fogline does not track your child.', 'Fogline records the drive, and they decide what you see.'],
    ['en', 'Most courses begin with airports.', 'Fogline begins with dinner and your own family.'],
    ['es', 'Fogline no te dice cuánto gastas.', 'Fogline te dice en qué se te escapa.'],
    ['fr', 'Fogline ne vous donne pas la note.', 'Fogline vous demande ce que vous savez.'],
    ['it', 'Non vende biglietti del treno.', 'Fogline ti dice dove si trova il tuo treno.'],
    ['pt', 'O Fogline não paga por você.', 'O Fogline lembra você dois dias antes.'],
    ['de', 'Fogline stellt dir keine Diagnose.', 'Fogline sagt dir, was du fragen kannst.'],
  ])('shows no half of a contrast, in %s: %s %s', (language, half, other) => {
    expect(textsOf(`${half} ${other}`, language)).toEqual([`${half} ${other}`]);
    const { openings, lines } = readText(`${half}\n\n• 120 maps of the coast`, language);
    expect([...openings, ...lines.map(({ text }) => text)]).toEqual(['120 maps of the coast']);
  });

  it.each([
    'pdf scanner, document scanner, ID scanner, receipt scanner, scan to pdf, OCR',
    'lista della spesa, volantini, offerte supermercato, risparmio, lista condivisa, dispensa',
    'Budget planner and budget tracker: the budget app for everyone',
    'RELEASE NOTES 2.0: Completely redesigned, with new birds',
    'Suchbegriffe: haushaltsbuch, ausgaben',
  ])('leaves out words for the search: %s', words => {
    const { openings, lines } = readText(`${words}\n\n• Maps that work offline`);
    expect([...openings, ...lines.map(({ text }) => text)]).toEqual(['Maps that work offline']);
  });

  it.each([
    ['es', 'Creé esta app porque mi madre acabó en urgencias.'],
    ['es', 'Caminamos todas las rutas, algunas con lluvia.'],
    ['fr', "J'ai créé cette application après une nuit sur un rocher."],
    ['fr', 'La nuit sur un rocher a donné cette idée à notre fille.'],
    ['it', 'Ho fatto questa app per un amico che telefonava spesso.'],
    ['it', 'Contratti e commissioni non ne vendiamo a nessuno.'],
    ['pt', 'Criei o app no apartamento de uma avó mineira.'],
    ['de', 'Seit zwölf Jahren spiele ich in einem Orchester.'],
    ['nl', 'Drie jaar geleden begon ik met dit boek.'],
    ['ja', '母のために作りました。これからも改良を続けます。'],
    ['de', 'Liebe Musikerinnen und Musiker,'],
  ])('leaves out what the maker says of itself, in %s: %s', (language, text) => {
    expect(textsOf(`• 120 Fogline\n\n${text}`, language)).toEqual(['120 Fogline']);
  });

  it('leaves out the story behind the sentence of its maker, and a section about the maker', () => {
    expect(
      textsOf(`I could not sleep. White noise gave headaches, podcasts kept everybody awake. Fogline plays the marsh behind the house.

WHY WE DO THIS
Six years of care without a plan are enough for everyone.

INSIDE
Eleven nights, each of eight hours.`),
    ).toEqual(['Fogline plays the marsh behind the house', 'Eleven nights, each of eight hours']);
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

  it('opens with a marked line above a heading', () => {
    const text =
      '🚗 Four cars and one school run. What if we shared it?\n\n✨ FEATURES ✨\n👉 One plan for the week';
    expect(readText(text).openings[0]).toBe('Four cars and one school run. What if we shared it?');
  });

  it('joins a line that was wrapped before a capital', () => {
    const text =
      'Tides for every coast.\n\nMore than 4,000 harbors in\nEurope and North America.\n\nSign in\nOne tap, no password, no mail.';
    expect(textsOf(text)).toContain('More than 4,000 harbors in Europe and North America');
    expect(textsOf(text)).toContain('Sign in: One tap, no password, no mail');
    const wide = 'Books and words of yours are stored on the device. Export and import\nZIP packages.';
    expect(textsOf(wide)).toEqual([wide.replace('\n', ' ')]);
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

  it.each([
    ['en', 'Fogline puts them in order', 'Fogline puts tides in order'],
    ['de', 'Fogline bringt sie in die richtige Folge', 'Fogline bringt Gezeiten in die richtige Folge'],
    ['es', 'Fogline las pone una detrás de otra', 'Fogline pone las mareas una detrás de otra'],
    ['fr', "Fogline les met l'une après l'autre", "Fogline met les marées l'une après l'autre"],
  ])('opens in %s not with "%s" but with "%s"', (language, pointing, opening) => {
    expect(readText(`Fogline.\n\n${pointing}.`, language).openings).toEqual([]);
    expect(readText(`Fogline.\n\n${opening}.`, language).openings).toEqual([opening]);
  });

  it.each([
    ['es', 'Fogline es el carné de salud de tu mascota'],
    ['de', 'Fogline verwaltet Modellbahnen aller Spurweiten (Z, N, TT,\nH0, H0e, 0, 1, G)'],
  ])('opens with a sentence in %s: %s', (language, opening) => {
    expect(readText(`${opening}.\n\n• Fotos\n• PDF`, language).openings).toEqual([
      opening.replace('\n', ' '),
    ]);
  });

  it('does not repeat a heading that praises its list', () => {
    const text =
      'Des menus pour la semaine.\n\nCe que vous allez aimer :\n✅ Les restes du lundi\n✅ Le mode « placard »';
    expect(textsOf(text, 'fr')).toContain('Les restes du lundi');
  });

  it.each(['Kostet einmal 8 Euro', 'Costs just 9 dollars', 'Coûte 5 euros par an'])(
    'leaves out a price: %s',
    text => {
      expect(hasClaim(text)).toBe(true);
    },
  );

  it('leaves out what follows a sentence that is left out, up to one about the app', () => {
    expect(
      textsOf(`Fogline.

Fogline puts them in order, as on a ship. When the bell rings, you put the job down. Fogline draws the whole day as a map for you.`),
    ).toEqual(['Fogline draws the whole day as a map for you']);
  });

  it('takes the German "Sie" of a formal listing for the reader', () => {
    const formal =
      'Halten Sie in Sekunden fest, was Sie heute getan haben. Sie tippen auf eine von sechs Tätigkeiten.';
    expect(textsOf(formal, 'de')).toContain('Sie tippen auf eine von sechs Tätigkeiten');
    const informal =
      'Halte in Sekunden fest, was deine Gruppen heute getan haben. Sie tippen auf eine von sechs Tätigkeiten.';
    expect(textsOf(informal, 'de')).toEqual([informal]);
  });

  it.each([
    ['fr', 'Note moyenne de 4,8 sur les stores'],
    ['de', 'Bewertung 4,7 im App Store'],
    ['es', 'Un 4,9 en la App Store'],
    ['pt', 'Nota 4,8 na Play Store'],
    ['en', 'A 4.8 on the App Store'],
  ])('leaves out an average in %s: %s', (_, text) => {
    expect(hasClaim(text)).toBe(true);
  });

  it('does not open with "That" where what it points at is too long', () => {
    const rest = 'Somebody two streets away would give a lot for one of them, if only you knew who it is.';
    const text = `That spider plant has had babies again. ${rest}\n\nSwap plants nearby.`;
    expect(readText(text).openings).toEqual(['Swap plants nearby']);
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
    expect(extractMaterial(named('ごみの日')).openings[0]).toBe(
      '「今日は何のごみの日だっけ?」がなくなります',
    );
  });

  it('reads Japanese labels and leaves out who it is for until the end', () => {
    const { lines } = extractMaterial(named('ねむりの栞'));
    expect(lines.filter(({ rank }) => rank < 2).map(({ text }) => text)).toEqual([
      '眠れなかった夜を、責めないための日記アプリです',
      '【朝の3問だけ】目が覚めたら、3つの質問に答えるだけ。1分で終わります。',
      '【夜のひとこと】気になることを書いて、明日の自分に預けます',
      '【週のまとめ】よく眠れた日に共通することを、やさしい言葉で教えてくれます',
      '【アラームなし】起こすためのアプリではありません',
    ]);
  });

  it.each([
    'Trusted by 500,000 families.',
    '¡MÁS DE 1 MILLÓN DE DESCARGAS!',
    '4,8 Sterne im App Store.',
    '4.7 average rating',
    'Rate us 5 stars if you like it!',
    'As seen on Good Morning America.',
    'Rated 4.7 by 18,000 households',
    'Loved by teachers everywhere.',
    'Mais de 500.000 famílias já usam!',
    'Mais de 1 milhão de brasileiros usam!',
    '*T&Cs apply',
    'Déjà plus de 1 200 écoles nous font confiance.',
    'Consigliata da oltre 20.000 utenti.',
    'Élue appli de l’année 2024.',
    "Editor's Choice 2025.",
    'Over 2 million parents can’t be wrong.',
    'Über 48.000 WGs vertrauen uns.',
    '累計50万ダウンロード突破!',
    '★★★★★「もう手放せません」',
    'App Storeランキング1位!',
    '100만 다운로드 돌파! 별점 4.8',
    'The #1 hiking journal!',
    'Premium: $2.99 a month.',
    '"Saved me a fortune." — Dana R.',
    'Download Fogline now!',
    'Please leave us a review!',
    'Consulte seu médico antes de começar',
    'The coolest maps of all towns!!!',
    'Über 900.000 Fahrschüler haben bestanden!',
    'Follow us on Instagram @fogline.',
  ])('leaves out the claim %s', claim => {
    for (const mark of ['', '• ']) {
      const { lines, openings } = readText(
        `${mark}${claim}\n\n• Maps that work offline\n• Routes for the night`,
      );
      expect([...openings, ...lines.map(({ text }) => text)]).toEqual([
        'Maps that work offline',
        'Routes for the night',
      ]);
    }
  });

  it.each([
    '7-day free trial for everyone',
    'Free-form notes in every cell',
    'Hands-free while you cook',
    'No ads, free of charge',
    'A report for your doctor',
    'Cure timer and cure date for every jar',
    'Find the best time to water',
    'Over 1,000 recipes from home',
    'Download a map before you go',
    'Rate each wine you taste',
    'Three lines a day, chosen by their age',
    'Keep every color and thank yourself later',
    'Share it with your family',
  ])('keeps the line %s', line => expect(textsOf(`• ${line}\n• Maps that work offline`)).toContain(line));

  it('takes no claim and no legal text from any listing', () => {
    for (const listing of listings) {
      const { openings, lines } = extractMaterial(sourceOf(listing));
      const texts = [...openings, ...lines.map(({ text }) => text)];
      expect(texts.filter(text => hasClaim(text) || isLegal(text) || /Mira|Marisa|Karen/.test(text))).toEqual(
        [],
      );
    }
  });

  it.each([
    ['en', '"From a D to a B, and time to play." Sem, class 3'],
    ['en', 'We are not affiliated with any bank'],
    ['en', 'The first 60 levels are free'],
    ['de', 'Das Tagebuch ist kostenlos'],
    ['nl', 'Nieuw in versie 1.8: luisterboeken en een donker thema'],
    ['fr', 'Fogline est gratuite jusqu’à cinq plantes'],
    ['pt', 'As questões e o cronograma são gratuitos'],
    ['ja', '本アプリは医療行為を行うものではありません'],
  ])('leaves out what is praise, a disclaimer or the price, in %s: %s', (language, text) => {
    expect(textsOf(`• ${text}`, language)).toEqual([]);
  });

  it('takes what is said before the first list alone for what the app does', () => {
    const { lines } = readText(
      'Fogline logs every shoe you run in.\n\n• A bar for each pair shows its wear\n\nYour data stays in your own cloud.',
    );
    expect(lines.filter(({ isPitch }) => isPitch).map(({ text }) => text)).toEqual([
      'Fogline logs every shoe you run in',
    ]);
  });

  it('ends no item of a sentence with its semicolon', () => {
    expect(textsOf('• Des mesures asymétriques, de 5/8 à 15/16 ;\n• Un carnet de travail.', 'fr')).toEqual([
      'Des mesures asymétriques, de 5/8 à 15/16',
      'Un carnet de travail',
    ]);
  });

  it('lowers a label in capitals, but no acronym and no German nouns beside each other', () => {
    const lines = [
      'SLEEP DIARY: a minute each morning',
      'OCR TEXT: in 42 languages',
      'PASSEIO: marque quem levou',
      'LE SAC : doudou, lunettes et affaires de judo',
      '8 WORLDS, 75+ MOLES: each with a boss',
      "CAN'T WE LEAVE? Say when you fly.",
      'INSTANT ALERT in every street around you',
      'NASA pictures of the day, each with its story',
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
    ]);
    const german = '• MISCHKULTUR: gute Nachbarn\n• MINIJOB-WÄCHTER: warnt früh\n• GUTE NACHBARN: auf Papier';
    expect(textsOf(german, 'de')).toEqual([
      'Mischkultur: gute Nachbarn',
      'Minijob-Wächter: warnt früh',
      'GUTE NACHBARN: auf Papier',
    ]);
  });

  it.each([
    ['**Does it handle diets?**', 'Does it handle diets? '],
    ['THE DIETS', 'The diets: '],
  ])('leaves out the last sentence under %s, not the heading', (heading, label) => {
    const diets =
      "Vegetarian, vegan, gluten-free, halal, low FODMAP, plus your own list of things you simply don't like.";
    const answer = `${diets} (Coriander is the most common, then olives and raw onions.)`;
    const listing = `Tell Larderly what you have.\n\n**Can I scan it?**\nYes, scan a barcode.\n\n${heading}\n${answer}`;
    expect(textsOf(listing)).toContain(label + diets.slice(0, label.endsWith('? ') ? undefined : -1));
  });

  it('reads a paragraph that is longer than a line may be', () => {
    const long =
      'Each circle has its own sound, so that you know from the next room which one it is. '.repeat(8);
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

  it('opens with no question about itself, no second one of what it leaves out, and no "First,"', () => {
    expect(
      readText(
        'Four forecasts of fog from four countries that never agree on it. One honest answer: do they agree?',
      ).openings,
    ).not.toContain('One honest answer: do they agree?');
    const { openings, lines } = readText(`What is Fogline?

Fogline adds two things that others leave out of their maps. First, it asks you to draw the fog yourself before it is shown on the map.`);
    expect(openings).not.toContain('What is Fogline?');
    expect(lines.map(({ text }) => text).filter(text => text.startsWith('First'))).toEqual([]);
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
    expect(textsOf('Rated 4.8 stars by everyone we know. It grows by itself when you are ready.')).toEqual(
      [],
    );
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
    ['numbers', 'x ', '1 000 ', 'y'],
    ['brackets', 'x ', '[a](', 'y'],
    ['tags', 'x ', '<a', 'y'],
    ['headings', 'x', '\nTITLE\nA sentence that is here.\n', 'y'],
    ['short sentences', 'x ', 'Ab cd. ', 'y'],
  ])('reads 10,000 characters of %s in milliseconds', (_what, first, repeated, last) => {
    const room = 10_000 - first.length - last.length;
    const description = first + repeated.repeat(room / repeated.length) + last;
    const tookMs = Array.from({ length: 5 }, () => {
      const startedMs = performance.now();
      readText(description);
      return performance.now() - startedMs;
    });
    // About 10 ms; a pattern that takes the square of the length needs 270 to 2,000.
    expect(Math.min(...tookMs)).toBeLessThan(200);
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
});

it('lowers a text in capitals, but not a German one', () => {
  const english = { name: 'Fogline', language: 'en', acronyms: ['DAS'] };
  expect(lowerShouting('DAS NO PRAZO', { ...english, language: 'pt' })).toBe('DAS no prazo');
  expect(lowerShouting('KEEP YOUR NOTES ON THE PHONE OF EVERYONE.', english)).toBe(
    'Keep your notes on the phone of everyone.',
  );
  expect(lowerShouting('WILL I MAKE IT?', english)).toBe('Will I make it?');
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
