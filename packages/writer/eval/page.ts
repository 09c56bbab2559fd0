import type { GalleryDeck } from './decks.ts';

export type ShownDeck = GalleryDeck & { thumbnails: string[] };

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, char => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]!);

/** The gallery as one HTML page; thumbnails are separate files in the same folder. */
export function writePage(decks: readonly ShownDeck[], summary: readonly string[]): string {
  const names = [...new Set(decks.map(({ request }) => request.app.name))];
  const sections = names.map(name => {
    const own = decks.filter(({ request }) => request.app.name === name);
    return `<h2>${escapeHtml(name)}</h2>${own.map(writeDeck).join('\n')}`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hookline gallery</title><style>
body{font:15px/1.45 system-ui,sans-serif;margin:24px;background:#f4f4f2;color:#1c1c1e}
.deck{background:#fff;border-radius:12px;padding:14px 16px;margin:0 0 18px}
.slides{display:flex;gap:8px;overflow-x:auto}.slides img{height:356px;border-radius:8px}
.faults{color:#b3261e}.meta{color:#555}details{margin-top:8px}h3{margin:0 0 8px}
</style><h1>Hookline gallery</h1><ul>${summary.map(line => `<li>${escapeHtml(line)}</li>`).join('')}</ul>
${sections.join('\n')}</html>`;
}

function writeDeck({ deck, judgements, thumbnails }: ShownDeck): string {
  const { result, archetype, ctaMode } = deck;
  const faults = judgements.filter(({ fault }) => fault !== null);
  const lines = [
    `<div class="meta">${escapeHtml(result.caption)} ${result.hashtags.map(escapeHtml).join(' ')}</div>`,
    ...faults.map(
      ({ question, about, fault }) =>
        `<div class="faults">${question}: ${about}: ${escapeHtml(fault!)}</div>`,
    ),
  ];
  const options = result.hookOptions.slice(1).map(escapeHtml).join('<br>');
  return `<div class="deck"><h3>${archetype}, ${ctaMode}</h3><div class="slides">${thumbnails
    .map(file => `<img loading="lazy" src="${file}" alt="">`)
    .join('')}</div>${lines.join('')}<details><summary>other hooks</summary>${options}</details></div>`;
}
