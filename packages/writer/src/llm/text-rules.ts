import { findPromisedCount } from '@hookline/deck';
import type { Brief } from '@hookline/shared/contracts/brief';
import { alikeMin } from '../overlap.ts';
import { hasBannedPhrase, hasCure } from '../text-filters.ts';
import { similarityOf } from '../words.ts';
import { findClaim, namesApp } from './claims.ts';
import { type BrokenRule, type DeckWanted, type Draft, lengths } from './draft.ts';
import { findUnbacked } from './figures.ts';
import { findForeignName, type NameRules } from './foreign-names.ts';
import { isParroted } from './prompt.ts';
import { findUntraceable } from './traceable.ts';

type Kind = keyof typeof lengths;

const link =
  /https?:|www\.|(?<![\p{L}\p{N}])(?:[a-z0-9-]+\.)+(?:com|net|org|io|app|co|ai|dev|me|ly|gg|info|shop|store|link|example)(?![\p{L}\p{N}])|@[\p{L}\p{N}_]{2,}/iu;
const markup = /[<>{}`]|\*\*|__|^#{1,6}\s|\[[^\]]*\]\(/u;

export type TextContext = NameRules & {
  brief: Brief;
  wanted: DeckWanted;
  /** Lower-case listing: what may be said about the app. */
  listing: string;
  /** Lower-case listing, topic and given hook: names and figures that may be used. */
  source: string;
  /** Matches the words that the brand avoids. */
  avoided: RegExp;
};

export const avoidRule = 'must not have this word, which the brand avoids';

/** The hooks that keep all rules, in the model's order. */
export function keepGoodHooks(hooks: readonly string[], context: TextContext): string[] {
  const { wanted, brief } = context;
  return hooks.filter(hook => {
    if (findBrokenRulesOf('hook', '', hook, context).length > 0) return false;
    const promised = findPromisedCount(hook);
    const keepsCount = promised === wanted.plan.bodyCount || (promised === null && !wanted.isCounted);
    if (!keepsCount) return false;
    return brief.ctaMode === 'direct' || !namesApp(hook, context.appName);
  });
}

/**
 * Faults in the slides, the soft line and the caption: missing, lengths, links, markup, banned phrases,
 * claims, foreign names, words of the prompt and those that the brand avoids, an app name where the closing
 * mode forbids it, statements about the app that the listing does not make, slides and a closing line that repeat
 * each other or a given hook. Hooks are judged by `keepGoodHooks`; a given hook is the caller's and is not judged.
 */
export function findBrokenTextRules(draft: Draft, context: TextContext): BrokenRule[] {
  const { slides, soft, caption } = draft;
  const named: [Kind, string, string | null][] = [
    ...slides.map((text, i): [Kind, string, string | null] => ['body', `slide${i + 1}`, text]),
    ['soft', 'ctaSoft', soft],
    ['caption', 'caption', caption],
  ];
  const broken = named.flatMap(([kind, where, text]) =>
    text === null ? [{ where, rule: 'is missing' }] : findBrokenRulesOf(kind, where, text, context),
  );
  return [...broken, ...findRepeats(draft, context), ...findMisplacedName(draft, context)];
}

export function findBrokenRulesOf(
  kind: Kind,
  where: string,
  text: string,
  context: TextContext,
): BrokenRule[] {
  const { wordsMax, charactersMin, charactersMax } = lengths[kind];
  const { appName, listing, source } = context;
  const broken: BrokenRule[] = [];
  const refuse = (rule: string, found?: string) =>
    broken.push({ where, rule, ...(found === undefined ? {} : { found: found.slice(0, 40) }) });
  if ([...text].length < charactersMin) refuse(`must have at least ${charactersMin} characters`);
  if ([...text].length > charactersMax || text.split(/\s+/).length > wordsMax) {
    refuse(`must have at most ${wordsMax} words and ${charactersMax} characters`);
    // It is written anew, and the other rules would take seconds for some long texts.
    return broken;
  }
  const bare = text.replaceAll(appName, ' ');
  if (link.test(bare)) refuse('must have no link, address or handle', link.exec(bare)?.[0]);
  if (markup.test(text)) refuse('must be plain text without markup or placeholders');
  if (isParroted(text)) refuse('must not repeat the instructions or the example');
  if (hasBannedPhrase(bare)) refuse('must have no worn advertising phrase');
  const claim = findClaim(text, appName, listing, source) ?? (hasCure(text) ? text : null);
  if (claim !== null) refuse('must claim no rank, rating, price, cure or guarantee', claim);
  const avoided = context.avoided.exec(text)?.[0];
  if (avoided !== undefined) refuse(avoidRule, avoided);
  const name = findForeignName(text, context);
  if (name !== null) refuse('must name nothing that the listing and the brief do not name', name);
  const figure = findUnbacked(text, source);
  if (figure !== null)
    refuse('must have no figure, result or praise that the listing and the brief do not have', figure);
  const invented = findUntraceable(text, appName, listing, context.language);
  if (invented !== null) refuse('must say about the app only what the listing says', invented);
  return broken;
}

function findRepeats({ slides, soft }: Draft, { brief, language }: TextContext): BrokenRule[] {
  const said = [
    { where: 'brief.hook', text: brief.hook ?? null },
    ...slides.map((text, i) => ({ where: `slide${i + 1}`, text })),
    { where: 'ctaSoft', text: soft },
  ];
  return said.flatMap(({ where, text }, i) => {
    const earlier = said.slice(0, i).find(other => isAlike(text, other.text, language));
    return earlier ? [{ where, rule: `must say something else than ${earlier.where}` }] : [];
  });
}

export const isAlike = (text: string | null, other: string | null, language: string): boolean =>
  text !== null && other !== null && similarityOf(text, other, language) >= alikeMin;

/** The app's name: once in the soft line, in one slide at most, and nowhere else with `none`. */
function findMisplacedName({ slides, soft, caption }: Draft, { brief, appName }: TextContext): BrokenRule[] {
  const naming = slides.flatMap((text, i) =>
    text !== null && namesApp(text, appName) ? [`slide${i + 1}`] : [],
  );
  if (brief.ctaMode === 'none' && caption !== null && namesApp(caption, appName)) naming.push('caption');
  const broken = (brief.ctaMode === 'none' ? naming : naming.slice(1)).map(where => ({
    where,
    rule: 'must not name the app',
  }));
  if (soft !== null && !namesApp(soft, appName))
    broken.push({ where: 'ctaSoft', rule: `must name the app, ${JSON.stringify(appName)}, once` });
  return broken;
}
