/**
 * The words that classify a line of an English listing as an instruction, a statement about the app or the
 * name of a thing.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Base forms that are rarely nouns at the start of a line. */
export const pureVerbs = words(`
  barter add adjust allow alter annotate announce apply argue arrange ask assemble assess assign attach attend avoid backup
  become begin believe bind borrow breathe bring broadcast browse build bury buy calculate cancel capture carry catch
  celebrate change chase check choose clean clear close collect colourise combine come commute compare compile
  complete compose compute confirm connect consult continue convert correct create customise customize decide declare
  decode decorate define delete deliver describe detect determine develop dictate dine discover discuss divide dodge
  draft drag draw dry earmark earn eat edit embed enable encrypt enjoy enter erase estimate examine exclude expand
  explain explore fetch fill filter find finish fit fix flag fold follow forecast forget forgive forward freeze gather
  get give glue go greet grow hand hang hear hide highlight hunt identify ignore import improve include inflate inform
  insert inspect install invite join keep knit know laugh lead learn leave lend let listen load lock log lose
  lower make manage mark measure meet memorise memorize merge mute narrate negotiate nominate notice notify nudge
  number observe open order organise organize paint pair pan paste pause pay perform personalise personalize
  photograph pick pin pitch play point polish pour practice practise predict prepare preserve prevent prove prune
  publish pull push put quit quote race raise rank read rearrange recall receive recognise recognize reconcile recycle
  redeem redo refill register rehearse relax remember remind remove rename renew reopen repair repeat replace replay
  reply reserve reset resize resolve restore resume retrace retry return reuse revise rinse roast roll rotate sand
  save scan scare scold seal season seat see select sell send separate serve set settle sew share sharpen shave shout
  show shrink shuffle sift simmer sing sit skim skip slice slow snap soak solo solve sort sow speak spin split spot
  squeeze stack stain stand start stay steam stir stitch stop store strip study submit subtract suggest suspend swap
  sweep swim swipe switch take tap taste teach tear tell tempt tend thank thin think thread thrive throw tidy tie tip
  toss trace track trade transcribe transfer translate transpose trim try tuck turn undo unlock unpack unroll untangle
  unwind update upload use vary verify view visit vote wait wake warm warn wash wean wear weigh whisper wind wipe
  wonder work wrap write zoom
`);

/** Base forms that are just as often nouns: the next word decides. */
export const nounVerbs = words(`
  label
  act alarm answer auction bake balance bank bid bill block blog boil book bookmark bother brew brush budget call camp
  cast chart chat climb clip clock coach code color colour comment contact cook copy count cover crop cue cut cycle
  dance date design dial diary dim drain dream dress drill drive drop drum dust email exercise export face fail feed
  feel file film fish flip float focus frame fuel garden glow grade graph grill group guess guide harvest hike host
  ice index invoice iron journal jump lap launch lease lift light list loan look loop map mass massage master match
  message microwave mix model mount move nail name nap navigate nest note offer outline pack page park patch pedal
  picture pilot place plan plant plate pledge plot poll post pot press price print process profile program project
  prompt protest quiz rain rally rate reach record redesign report request rescue research rest review reward ride
  ring row rule run sail sample schedule scope score screen search shape shift ship shoot shop sign signal sketch
  sleep slide smoke sound spell sponsor sprint sprout stage stamp star state steer step stream stress stretch stroke
  style surf survey sync table tag tally target test text tick time toast toggle touch tour tow train travel treat
  tune twist type upgrade vent voice vow walk watch water weed witness zip
`);

/** Words that end the head of a noun phrase. */
export const headEnds = words(`
  of for with without to in on at by from across around between into against through under over before after until than
  that which who whose where when while and or but so as if you your we not never no because about behind near per
`);

/** Words that precede a noun: after the first word of a line they make that word a verb. */
export const determiners = words(
  'a an the your our their his her its every each all any both my this these those',
);

export const numberWords = words('one two three four five six seven eight nine ten twelve twenty half');

/** After the first word of a line they make it a verb, too. */
export const particles = words('up down out off away back together');

export const objectPronouns = words('it them us everyone everybody someone');

/** Verbs of lines with their own subject: "Invoices go out on Friday". */
export const finiteVerbs = words(`
  is are was were has have can will must go goes come comes stay stays stop stops appear appears arrive arrives ring rings
  wait waits live lives open opens close closes move moves turn turns get gets tell tells show shows know knows say says
  keep keeps end ends sync syncs update updates run runs work works leave leaves fall falls wake wakes grow grows
`);

/** First words of lines that cannot be used as a phrase. */
export const fragments = words(`
  made built designed crafted no not never now also automatically with without in on at by from for of to as when while if
  because so and but or even only just always still then it its they you we he she there this that these those is are
  ready easy free safe quiet quick fast simple private secure offline online perfect great ideal available new coming plus
  here more less much many which what who where how why whether please thanks welcome hello inside together once twice soon
  until unlike like
`);

/**
 * Compound heads that name a part of an app, in the singular. Countable ones take "a"; a longer word may end
 * in one.
 */
export const countableHeads =
  /(?:^|[\p{L}-])(?:calculator|timer|planner|tracker|diary|log|journal|map|list|widget|mode|review|report|summary|scanner|counter|library|player|editor|calendar|dashboard|guide|plan|course|view|recorder|converter|metronome|tuner|checklist|forecast|radar|chart|curve|card|graph|table|dictionary|glossary|alarm|clock|stopwatch|compass|notebook|book|album|folder|archive|form|template|keyboard|board|button|theme|filter|index|scale|meter|camera|shortcut|profile|badge|feed|inbox|score|quiz|game|puzzle|lesson|menu|recipe|budget|ledger|receipt|invoice|ticket|wallet|vault|key|code|link|page|screen|watch|sheet|pad|reminder|alert|preset|finder|picker|reader|viewer|selector|builder|maker|helper|coach|register|directory|gallery|timeline|schedule|roster|rota|logbook|note|bell|layer|grid|route|session|round|ladder|bracket|poll|drill|loop|playlist|queue|histogram|overview|digest|letter|label|bar|wheel|day|limit|globe|toolbox|app|kit|pack|box|slip|complication)$/iu;

/** Compound heads without a plural and without "a". */
export const massHeads =
  /(?:balance|cover|support|storage|progress|history|tracking|backup|data|privacy|weather|music|advice|yarn|sound|search|sync|access|save|control|recognition|sharing|training|practice|scoring|pairing|planning|logging|counting|time|light|help|stash|sign-in|playback|dictation|navigation|feedback)$/iu;
