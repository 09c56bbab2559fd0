import { extractMaterial, type MaterialSource } from './material.ts';

const charactersMax = 400;

/**
 * The `details` of an app: the first sentences of its listing that claim nothing, at most 400 characters, in the listing's own
 * language; with one sentence or none, a plain line about what it is and who makes it.
 */
export function describeApp(app: MaterialSource, developer: string | null): string {
  const material = extractMaterial(app);
  const separator = /^(ja|zh|th)$/.test(material.language) ? '' : ' ';
  let details = '';
  for (const sentence of material.sentences.slice(0, 4)) {
    const longer = details ? details + separator + sentence : sentence;
    if (longer.length <= charactersMax) details = longer;
  }
  const isEnough = material.sentences.length > 1 || details.length > 100;
  return isEnough
    ? details
    : [details, nameLine(material.name.short, app.category, developer)].filter(Boolean).join(' ');
}

function nameLine(name: string, category: string | null, developer: string | null): string {
  const kind = category
    ? category
        .toLowerCase()
        .replace(/_/g, ' ')
        .replace(/^game .*/, 'game')
    : '';
  const maker = developer ? `, made by ${developer.replace(/\.$/, '')}` : '';
  if (!kind) return `${name} is an app${maker}.`;
  return /^games?$/.test(kind) ? `${name} is a game${maker}.` : `${name} is an app for ${kind}${maker}.`;
}
