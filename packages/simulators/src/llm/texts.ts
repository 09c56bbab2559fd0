/** The sentences of the simulated model: plain advice, each line different from the others. */
export const sentences = [
  'Pick one drawer tonight. Empty it, wipe it, and return only half.',
  'Set the kettle going before you open any message at all.',
  'Write tomorrow’s first task on paper while dinner is cooling.',
  'Keep shoes by the door so a walk needs no search.',
  'Read two pages in bed and put the phone across the room.',
  'Cook rice for three days at once and freeze the rest flat.',
  'Answer short letters right away; park long ones for the afternoon.',
  'Stretch while the shower warms up. Thirty seconds count.',
  'Leave a glass by the sink and fill it each time you pass.',
  'Call somebody on the way home instead of scrolling past them.',
  'Fold laundry during the news; the pile ends when the show does.',
  'Plan meals around what wilts first, then shop for gaps only.',
  'Save receipts in a single envelope and sort them every Sunday.',
  'Water plants when the soil feels dry, not when a calendar says.',
  'Name your worry in a sentence, then list its smallest next move.',
  'Park further away twice a week and take the stairs after.',
  'Close every tab on Friday. Monday starts with a blank window.',
  'Practise a phrase aloud three times before learning another.',
  'Swap one evening snack for fruit you already cut in the morning.',
  'Charge devices in the hall, where nobody lies awake beside them.',
  'Sketch the room before buying furniture; paper costs nothing.',
  'Tell a friend your plan. Silence makes skipping easy.',
  'Measure coffee by weight for a fortnight and taste what changes.',
  'Rest on purpose: a blanket, ten minutes, no screen nearby.',
  'Label leftovers with a date, because memory is a poor fridge.',
  'Sing in traffic. Shoulders drop before the lights turn green.',
  'Begin with the dullest chore while your patience is still fresh.',
  'Borrow tools you need once and lend those that gather dust.',
  'Count finished pages, never hours spent near the book.',
  'Open windows at noon for five minutes even in winter.',
  'Hide sweets behind the flour; distance beats willpower.',
  'Photograph a shelf before moving house and rebuild it faster.',
  'Ask which meeting could be a note, then send the note.',
  'Trim one subscription each month until only used ones remain.',
  'Walk the dog by a new street and notice two doors.',
  'End the day by clearing the table for whoever wakes first.',
];

/** `{n}` is replaced with the count that a description asks for. */
export const countedHooks = [
  '{n} small habits that survive a busy week',
  '{n} quiet rules for people who start late',
  '{n} easy swaps for tired evenings at home',
  '{n} gentle ideas for a slower morning',
  '{n} things that make an ordinary day lighter',
];

export const plainHooks = [
  'Why the easy version is the one that stays',
  'Nobody sees the rest day, and it still counts',
  'What changes when the plan gets smaller',
  'The evening that makes tomorrow lighter',
  'Start where the tired day leaves you',
];

export const hashtags = ['#smallsteps', '#dailyhabits', '#slowliving', '#routine', '#calmday'];

export const caption =
  'A short list for weeks that ask too much. Keep what fits, leave the rest, and see which line you need first.';
