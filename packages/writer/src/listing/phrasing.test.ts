import { expect, it } from 'vitest';
import { sourceOf } from '../../eval/decks.ts';
import { listings, named, readText, textsOf } from '../../test/listings.ts';
import { hasClaim, isLegal } from '../text-filters.ts';
import { extractMaterial } from './material.ts';

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

it('takes no rows of a table, no warning and nothing with a cross before it', () => {
  expect(textsOf('✅ Plano diário a partir do edital\n❌ Não tem grupo de motivação', 'pt')).toEqual([
    'Plano diário a partir do edital',
  ]);
  expect(textsOf('Your car has a price.\n\nFEATURES\nPetrol, diesel, gas | yes\nLog book | no')).toEqual([
    'Your car has a price',
  ]);
  expect(textsOf('Attenzione: installate sempre un rilevatore di fumo.', 'it')).toEqual([]);
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

it('ends no sentence at an abbreviation before a number', () => {
  const text = 'Pakk en pose i str. 86 og få en pose i str. 92 fra en familie i nærheden';
  expect(textsOf(`${text}.`, 'no')).toEqual([text]);
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
  expect(textsOf('• Карты рядом\n\nВерсия 4.1:\n• исправлен сброс счётчика', 'ru')).toEqual(['Карты рядом']);
  expect(textsOf('• Maps nearby\n\nCOMPATIBLE DEVICES\nGarmin HRM-Dual, HRM-Pro Plus')).toEqual([
    'Maps nearby',
  ]);
  expect(
    textsOf(
      '• Karten\n• Orte suchen\n\nGEEIGNET FÜR\nVereine, Betriebe, Elternabende, Teams, Chöre, Clubs',
      'de',
    ),
  ).toEqual(['Orte suchen']);
  expect(
    textsOf(
      '• Maps nearby\n\nRecent changes\n2.8.0 wave control rewritten, new hooks\n2.7 charts for upper Delaware\n2.6 larger text of hooks',
    ),
  ).toEqual(['Maps nearby']);
  expect(textsOf('• Πότε έρχεται το λεωφορείο;', 'el')).toEqual(['Πότε έρχεται το λεωφορείο;']);
  expect(textsOf("• Maps nearby\n\nWHO IT'S FOR\n• Photographers, notaries, anyone with a 1099")).toEqual([
    'Maps nearby',
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
  ['fr', 'Conformes : numérotation continue', 'Signature du devis à l’écran'],
  ['es', 'Adaptadas a la edad del bebé', 'Menús de la semana'],
  ['en', "Substitutions when you don't", 'Shows what you have everything for'],
])('takes no line whose noun is in another one in %s', (language, line, other) => {
  expect(textsOf(`Fogline.\n\n• ${line}\n• ${other}`, language)).toEqual([other]);
});

it.each([
  ['es', 'Esta app es ese cuaderno que llevaba siempre en el bolso.'],
  ['it', 'Non per fare la spia, ma perché così nessuno deve più chiederlo per le scale.'],
  ['en', 'Not theory from a magazine but your own water and your own fish.'],
  ['pt', 'Não tinha. E você também não sabia dela.'],
  ['es', 'Por precio, terraza, medio menú, que admitan perro.'],
  ['de', 'Gekaufte mit Kennzeichen und Ablaufdatum eintragen.'],
  ['es', 'No era. Y tu madre también lo sabía.'],
  ['fr', 'Fogline vous aide à faire la différence et à tenir le coup.'],
  ['en', '"Knee surgery on the 14th." "New puppy called Biscuit."'],
])('takes no sentence that begins in the middle of a thought in %s', (language, sentence) => {
  expect(textsOf(sentence, language)).toEqual([]);
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

it.each([
  'Win custody of your children',
  'Win your court case without a lawyer',
  'Erase your criminal record',
  'Get your charges dropped',
  'Walk away from your DUI',
  'Say goodbye to migraines',
  'Never have a panic attack again',
  'Regrow your hair in weeks',
  'Shrink your tumor with food',
  'Throw away your glasses',
  'Beat the market every year',
  'Become a millionaire by 40',
  'Fix your credit score fast',
  'Quit your job and live off dividends',
])('leaves out what a court, a body or a market decides: %s', text => {
  expect(hasClaim(text)).toBe(true);
});

it.each([
  'Keep a custody calendar with the other parent',
  'Write down every expense for your divorce lawyer',
  'Log your back pain every morning',
  'Track your cycle when you want to get pregnant',
  'See your credit score each month',
  'Track what you owe until you are debt free',
  'Clear the court before the next game',
])('keeps what an app does about it: %s', text => {
  expect(hasClaim(text)).toBe(false);
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
  '38,000 birds registered',
  'Usado em 30 lojas de aquarismo.',
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
  'Reverse type 2 diabetes naturally',
  'Treats insomnia better than pills',
  'No more ADHD symptoms',
  'Heilt Angstzustände in sieben Tagen',
  'Previene la migraña con sonidos',
  'Soigne l’insomnie pour de bon',
  'Elimina a ansiedade em uma semana',
  'Lower your blood pressure in a week',
  'Senkt den Blutdruck mit Musik',
  'Drei Kilo weniger ohne Medikamente',
  'Burn belly fat while you sleep',
  'Drop two dress sizes in a month',
  'Makes your child smarter every week',
  'Double your bitcoin in a week',
  'No risk, instant withdrawal',
  'Win real money every day',
  'Save up to 70% on groceries',
  '50% off for new users',
  'Spare bis zu 30 % beim Einkauf',
  '100% legal in all 50 states',
  'Von Steuerberatern empfohlen',
  'Cheaper than Honey and Rakuten',
  'Unlimited questions, unlike ChatGPT',
  'Más rápido que Excel',
  'Download now and ace your exams!',
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
  'Coals under a 12" oven',
  'Rate a migraine at its end',
  'Trata de la ansiedad en diez páginas',
  'A diary for anxiety and sleep',
  'Save up to 200 recipes',
  'Charts of blood sugar and blood pressure',
  'Nights that were better than the last',
  'Download today’s list before you go',
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
  ['es', 'La leche cruda tiene riesgos'],
  ['nl', 'Nieuw in versie 1.8: luisterboeken en een donker thema'],
  ['fr', 'Fogline est gratuite jusqu’à cinq plantes'],
  ['pt', 'As questões e o cronograma são gratuitos'],
  ['ja', '本アプリは医療行為を行うものではありません'],
])('leaves out what is praise, a disclaimer or the price, in %s: %s', (language, text) => {
  expect(textsOf(`• ${text}`, language)).toEqual([]);
});

it('ends no item of a sentence with its semicolon', () => {
  expect(textsOf('• Des mesures asymétriques, de 5/8 à 15/16 ;\n• Un carnet de travail.', 'fr')).toEqual([
    'Des mesures asymétriques, de 5/8 à 15/16',
    'Un carnet de travail',
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
