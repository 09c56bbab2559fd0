import type { Brief } from '@hookline/shared/contracts/content';
import { similarityOf } from '../distinct.ts';
import type { WrittenDeck } from '../port.ts';
import { hasBannedPhrase, hasClaim } from '../text-filters.ts';
import { findForeignName, isForeignBrand, type NameRules } from './foreign-names.ts';

/** A broken rule as sent to the model: `where` is the field, `found` the offending words, shortened. */
export type BrokenRule = { where: string; rule: string; found?: string };

// The composer's limits (writing guide: refuse when generated). Languages without spaces count characters
// only.
const measures = {
  hook: { wordsMax: 14, charactersMax: 80 },
  body: { wordsMax: 32, charactersMax: 180 },
  soft: { wordsMax: 24, charactersMax: 180 },
  direct: { wordsMax: 14, charactersMax: 120 },
  caption: { wordsMax: 70, charactersMax: 400 },
} as const;
type Kind = keyof typeof measures;

// At or above this share of common content words, two slides say the same thing.
const alikeMax = 0.6;

const link =
  /https?:|www\.|(?<![\p{L}\p{N}])(?:[a-z0-9-]+\.)+(?:com|net|org|io|app|co|ai|dev|me|ly|gg|info|shop|store|link|example)(?![\p{L}\p{N}])|@[\p{L}\p{N}_]{2,}/iu;
const markup = /[<>{}`]|\*\*|__|^#{1,6}\s|\[[^\]]*\]\(/u;

export type TextContext = NameRules & { brief: Brief };

/**
 * Faults in a deck's generated texts: lengths, links, markup, banned phrases, claims, foreign names, an app
 * name where the closing mode forbids it, slides that repeat each other. A given hook is the caller's and is
 * not judged.
 */
export function findBrokenTextRules(deck: WrittenDeck, context: TextContext): BrokenRule[] {
  const { result } = deck;
  const hooks = context.brief.hook === undefined ? result.hookOptions : [];
  const bodies = result.bodySlides.map(slide => slide.text);
  const named: [Kind, string, string][] = [
    ...hooks.map((text, i): [Kind, string, string] => ['hook', `hookOptions[${i}]`, text]),
    ...bodies.map((text, i): [Kind, string, string] => ['body', `bodySlides[${i}]`, text]),
    ['soft', 'ctaSoft', result.ctaSoft],
    ['direct', 'ctaHard', result.ctaHard],
    ['caption', 'caption', result.caption],
  ];
  return [
    ...named.flatMap(([kind, where, text]) => findBrokenRulesOf(kind, where, text, context)),
    ...findRepeats(bodies),
    ...findMisplacedName(deck, hooks, bodies, context.appName),
    ...findBrokenHashtags(result.hashtags, context),
  ];
}

function findBrokenRulesOf(kind: Kind, where: string, text: string, context: TextContext): BrokenRule[] {
  const { wordsMax, charactersMax } = measures[kind];
  const broken: BrokenRule[] = [];
  const refuse = (rule: string, found?: string) =>
    broken.push({ where, rule, ...(found === undefined ? {} : { found: found.slice(0, 40) }) });
  const charactersMin = kind === 'caption' ? 30 : 6;
  if ([...text].length < charactersMin) refuse(`must have at least ${charactersMin} characters`);
  if ([...text].length > charactersMax || text.split(/\s+/).length > wordsMax) {
    refuse(`must have at most ${wordsMax} words and ${charactersMax} characters`);
  }
  const bare = text.replaceAll(context.appName, ' ');
  if (link.test(bare)) refuse('must have no link, address or handle', link.exec(bare)?.[0]);
  if (markup.test(text)) refuse('must be plain text without markup or placeholders');
  if (hasBannedPhrase(bare)) refuse('must have no worn advertising phrase');
  if (hasClaim(bare)) refuse('must claim no rank, rating, price, cure or guarantee');
  const name = findForeignName(text, context);
  if (name !== null) refuse('must name nothing that the listing and the brief do not name', name);
  return broken;
}

function findRepeats(bodies: readonly string[]): BrokenRule[] {
  return bodies.flatMap((text, i) => {
    const earlier = bodies.slice(0, i).findIndex(other => similarityOf(text, other) >= alikeMax);
    return earlier === -1
      ? []
      : [{ where: `bodySlides[${i}]`, rule: `must say something else than bodySlides[${earlier}]` }];
  });
}

/** The app's name is not allowed in hooks, at most once before the closing, and nowhere with `none`. */
function findMisplacedName(
  { result, ctaMode }: WrittenDeck,
  hooks: readonly string[],
  bodies: readonly string[],
  appName: string,
): BrokenRule[] {
  const has = (text: string) => text.toLowerCase().includes(appName.toLowerCase());
  const broken: BrokenRule[] = [];
  const inHooks = hooks.findIndex(has);
  if (inHooks !== -1 && ctaMode !== 'direct') {
    broken.push({ where: `hookOptions[${inHooks}]`, rule: 'must not name the app' });
  }
  const before = bodies.filter(has).length;
  if (ctaMode === 'none' && (before > 0 || has(result.caption))) {
    broken.push({ where: 'bodySlides and caption', rule: 'must not name the app' });
  } else if (before > 1) {
    broken.push({ where: 'bodySlides', rule: 'must name the app in one slide at most' });
  }
  for (const where of ['ctaSoft', 'ctaHard'] as const) {
    if (!has(result[where]))
      broken.push({ where, rule: `must name the app, ${JSON.stringify(appName)}, once` });
  }
  return broken;
}

function findBrokenHashtags(hashtags: readonly string[], { appName }: TextContext): BrokenRule[] {
  if (hashtags.length < 3 || hashtags.length > 5)
    return [{ where: 'hashtags', rule: 'must be 3 to 5 different ones' }];
  const bad = hashtags.findIndex(
    tag => !/^#[\p{L}\p{N}\p{M}_]{2,30}$/u.test(tag) || isForeignBrand(tag.slice(1), appName),
  );
  return bad === -1
    ? []
    : [{ where: `hashtags[${bad}]`, rule: 'must be # and 2 to 30 letters or digits, no brand name' }];
}
