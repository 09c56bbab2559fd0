import banList from '../data/ban-list.json' with { type: 'json' };
import brandList from '../data/brand-list.json' with { type: 'json' };
import refusedTopics from '../data/refused-topics.json' with { type: 'json' };

/** Compiles "unlock*" and "level up" into one pattern; `*` matches any word ending. */
function compilePhrases(phrases: readonly string[]): RegExp {
  const parts = phrases.map(phrase => {
    const isOpen = phrase.endsWith('*');
    const text = phrase.replace(/\*$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return isOpen ? text : `${text}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})`, 'iu');
}

const banned = compilePhrases(banList.phrases);
const refused = compilePhrases(refusedTopics.words);

/**
 * Claims that get content restricted or that cannot be verified: ranks, guarantees, ratings, offers, cures,
 * prices.
 */
const claims =
  /#\s?1\b|\bno\.? ?1\b|number one|\bbest\b|ultimate|guarante|100 ?%|money back|(?<!(?:step|sugar|gluten|lactose|dairy|hands)-)\bfree\b|limited time|millions? of|\d[\d,.]*\+? ?(?:million )?(?:happy )?(?:users|downloads|people|households|personas)|\brated\b|award|proven|doctor|médico|\bcures?\b|lose \d|[$€£] ?\d|\d ?[$€£]|!!|download now|powerful|fastest|garantier|garantiza|gratis|nummer (?:1|eins)|número uno/iu;

/** Matches text of the legal part of a listing by the shape of the sentence. */
const legal =
  /renews? automatically|auto-?renew|24 hours|24 Stunden|24時間|charged to your|subscription (?:renews|automatically)|terms of (?:use|service)|privacy|all rights reserved|\bimprint\b|datenschutz|in-app purchase|one-time purchase|no subscriptions|https?:|www\.|@|\.example\b|\.com\b|support:|does not (?:give|replace|provide)|not a medical|results may vary|do not rely|third part(?:y|ies)|may be delayed|kostenlos|gratuita|suscripción|無料|solution for|\bpremium\b|membership|\bpurchase\b|monthly or yearly|pay once|your location|your data|stored (?:on|in)|bug ?fix|performance improvement|cancel (?:at )?any ?time|> ?subscriptions|remove (?:all )?ads/iu;

export function hasBannedPhrase(text: string): boolean {
  return banned.test(text);
}

export function hasClaim(text: string): boolean {
  return claims.test(text);
}

export function isLegal(text: string): boolean {
  return legal.test(text);
}

/**
 * True for a topic that the composer does not write about (violence, sex, drugs, crime, cures, income
 * promises).
 */
export function isRefusedTopic(topic: string): boolean {
  return refused.test(topic);
}

const brands = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${brandList.names.map(name => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}])`,
  'u',
);

/** The first name of a known product in a text, or null. */
export function findBrand(text: string): string | null {
  return brands.exec(text)?.[0] ?? null;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const brandTags = new Set(brandList.names.map(plain));

/** True for a hashtag, with or without its mark, that is the name of another product. */
export function isForeignBrand(tag: string, appName: string): boolean {
  return brandTags.has(plain(tag)) && !plain(appName).includes(plain(tag));
}
