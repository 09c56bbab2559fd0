/**
 * The words that decide whether a number in a hook is a promise. Lower case, NFKC; English, German, Spanish,
 * French, Portuguese, list nouns also in Italian and Dutch, measures in the languages that decks are written in.
 * What is an English noun too is left out: Polish "lat", Hungarian "nap".
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Nouns that turn any preceding number into a promise of that many slides. */
export const listNouns = words(`
  ways tips tricks hacks habits reasons signs mistakes errors lessons rules ideas things facts myths secrets
  questions steps prompts examples settings fixes flags truths wins recipes principles methods shortcuts checks
  swaps moves icebreakers strategies tactics techniques reminders regrets practices lies
  formas maneras consejos trucos hábitos razones señales errores lecciones reglas ideas cosas hechos mitos
  secretos preguntas pasos recetas principios métodos
  façons manières conseils astuces habitudes raisons signes erreurs leçons règles idées choses faits mythes
  questions étapes recettes principes méthodes secrets
  maneiras jeitos dicas truques hábitos razões sinais erros lições regras ideias coisas fatos perguntas passos
  receitas segredos
  modi abitudini errori consigli trucchi motivi lezioni regole idee cose fatti miti segreti domande passi ricette
  rimedi principi metodi
  manieren gewoontes redenen fouten lessen regels ideeën dingen feiten geheimen vragen stappen recepten
`);

/** German list nouns, matched as the end of a compound ("Alltagsgewohnheiten"). */
export const germanListNouns: readonly string[] = [
  ...words(`gewohnheiten gründe tipps tricks fehler ideen rezepte regeln schritte fragen dinge sachen fakten mythen
  wege zeichen lektionen beispiele methoden möglichkeiten geheimnisse`),
];

/** Singular forms: a promise only after 1 or "one". */
export const singularListNouns = words(`
  way tip trick hack habit reason sign mistake error lesson rule idea thing fact myth secret question step prompt
  setting fix truth recipe principle method shortcut check swap move
`);

/** Time, money, distance, rank, proportion: a number before one of these is never a count of slides. */
export const measures = words(`
  second seconds sec minute minutes min mins hour hours day days night nights morning mornings evening evenings
  weekend weekends week weeks month months year years decade decades am pm o'clock times time percent percentage
  stars star degrees degree dollars dollar bucks euros euro pounds pound cents calories kcal grams kilos kilo kg km
  kms miles mile meters metres reps gb mb million millions billion billions thousand more less of in out per
  sekunden minuten minute stunden stunde tage tagen tag nächte wochen woche monate monaten jahre jahren prozent
  kilometer mal
  segundos minutos horas hora días día noches semanas semana meses mes años año veces kilómetros
  secondes heures heure jours jour nuits semaines semaine mois ans années fois
  dias dia noites mês anos vezes
  minuti ore giorni settimane mesi anni minuten dagen weken maanden uur uren jaar minuter dagar veckor timmar månader år
  minutter dage uger måneder minut dni dakika gün saat hafta yıl kez menit hari minggu bulan
  minuty godzin godziny tygodni tygodnie miesięcy miesiące razy złotych hodin hodiny dní dny týdnů měsíců zile
  săptămâni luni lei minuuttia tuntia päivää viikkoa kuukautta vuotta λεπτά ώρες μέρες ημέρες εβδομάδες μήνες χρόνια
  секунд секунды минут минуты минуту часов часа дней дня день недель недели неделю месяцев месяца лет года год раз раза
  рублей процентов хвилин хвилини годин години днів дні тижнів тижні місяців місяці років роки разів гривень
  phút giờ ngày tuần tháng lần ثوان ثواني دقيقة دقائق ساعة ساعات يوم يوما أيام أسبوع أسابيع شهر شهرا أشهر شهور سنة سنوات مرات
  שניות דקות שעות יום ימים שבועות חודש חודשים שנה שנים פעמים मिनट घंटे दिन दिनों हफ्ते महीने साल बार
`);

/** Thai has no space behind them. */
export const thaiMeasures = /^(?:วินาที|นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี|ครั้ง|บาท)/u;

/** Parts of a day that often modify a list noun: "7 evening habits" counts, "7 evenings" does not. */
export const dayParts = words('morning evening night weekend');

/** Numbers of people are claims, not slides. */
export const peopleNouns = words(`
  people persons users customers women men friends kids children students teachers doctors experts households
  families parents moms dads strangers coworkers colleagues
  человек людей друзей детей людини друзів дітей osób ludzi przyjaciół dzieci
  leute menschen freunde kinder kindern eltern gäste personen personas amigos niños personnes amis enfants pessoas
  crianças
`);

/** A number directly after one of these is a position, a version or a duration. */
export const labels = words(`
  day part level week chapter version ios android number no nr in at since by for phase season episode round
  tag teil woche kapitel día parte semana nivel jour partie semaine niveau dia capítulo
`);

/** Labels that still allow "in 5 steps" and "for 3 reasons". */
export const softLabels = words('in by for at');

/** The noun of a promise comes before the first of these. */
export const clauseStops = words(`
  that who which whose to for with without of in on at by from when while if you i we they it he she is are was
  were be has have had will can your my our their than because before after
  que para de con por die der das für mit zu qui pour avec com
`);

/** Words allowed between the start of a clause and a number that promises. */
export const openers = words(`
  here are these those this my our the first last over only just at least i we tested tried ranked learned learnt
  compared collected
  diese meine unsere die mis estos estas los las mes ces les meus minhas os as
`);

/** "3-step", "5-point": the only compounds that promise a count. */
export const countingCompounds = words('step steps part parts point points item items rule rules');

/**
 * Words allowed between "the" or "my" and the number: "the big 3 lifts". A closed list, or "my Pixel 9" would
 * count.
 */
export const countedAdjectives = words(`
  big only best worst favourite favorite main essential basic golden core key classic final other same simple small
  tiny little great useful hardest easiest cheapest simplest biggest smallest oldest newest most underrated
  besten liebsten wichtigsten einzigen großen mejores únicos únicas grandes meilleurs meilleures grands seuls seules
`);

/** Required before such an adjective: "a big 4 firm" counts nothing. */
export const definites = words(`
  the my our these those die meine unsere diese los las mis estos estas les mes nos ces os as meus minhas
`);

/** Directly before a number they point at the slides, anywhere in the sentence. */
export const demonstratives = words('these diese estos estas ces estes');

/** Imperatives at the start of a clause, before "the", "my" or "our": "Steal my 5 dinners". */
export const invitations = words(`
  try use steal learn master make cook copy meet take save keep start skip borrow
`);

/** Words that select from those counted before: "I read 12 books, keep these 3". */
export const selectors = words(
  'keep kept keeping use finished loved recommend only just these those here still',
);

/** Verbs for what precedes a selection. */
export const trials = words('tested tried collected compared read watched cooked bought ranked');

/** Words allowed between the selectors. */
export const selectorCompany = words('i we are my the our but and then now would again so');

/** Verbs after the number that is left: "12 apps tested, 3 survived". */
export const survivals = words(`
  stayed survived worked kept left remain remained stuck lasted helped matter mattered count counted passed made
  earned deserved worth
`);
