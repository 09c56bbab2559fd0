import type { FastifyReply } from 'fastify';

/** Text that is already HTML; all other values in a template are escaped. */
export type Html = { html: string };

type Value = Html | Html[] | string | number | null;

/** Template tag: escapes plain values, inserts nested `Html` unchanged. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(textOf)) };
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, letter => entities[letter] ?? '');
}

// Slides come from this server; nothing else is loaded or run.
const contentSecurityPolicy =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Sends a whole page around a body; styles are inline, there is no script. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  reply
    .code(status)
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', 'no-store');
  return reply.type('text/html; charset=utf-8').send(page(title, body));
}

function page(title: string, body: Html): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${{ html: styles }}</style></head>
<body>${body}</body></html>`.html;
}

function textOf(value: Value): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(one => one.html).join('\n');
  return typeof value === 'object' ? value.html : escapeHtml(String(value));
}

const styles = `
:root { color-scheme: light dark; --line: #8884; --quiet: #777; --card: #fff; --back: #f4f4f6; }
@media (prefers-color-scheme: dark) { :root { --card: #1d1d21; --back: #131316; --quiet: #9a9aa2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
main.narrow { max-width: 30rem; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin: 0; }
h3 { font-size: .95rem; margin: 1.5rem 0 .6rem; font-weight: 600; }
h3 span { color: var(--quiet); font-weight: 400; }
small, .quiet { color: var(--quiet); font-size: .875rem; }
a { color: inherit; }
code { font-size: .85em; background: var(--line); border-radius: 6px; padding: .1rem .35rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.25rem; margin-top: 1.25rem; }
section > h3:first-child { margin-top: 0; }
.head { display: flex; gap: .75rem; align-items: center; }
.head img { width: 44px; height: 44px; border-radius: 50%; }
.state { margin-left: auto; text-align: right; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; }
.chip { display: inline-flex; align-items: center; gap: .5rem; border: 1px solid var(--line); border-radius: 99px; padding: .3rem .9rem .3rem .35rem; text-decoration: none; }
.chip img { width: 28px; height: 28px; border-radius: 50%; }
.posts { display: grid; grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); gap: 1.1rem; align-items: start; }
.card { max-width: 240px; }
.posts a { text-decoration: none; display: block; }
.frame { display: block; position: relative; }
.frame img { display: block; width: 100%; aspect-ratio: 9 / 16; object-fit: contain; border-radius: 12px; background: #0b0b0d; }
.badge { position: absolute; right: .5rem; top: .5rem; background: #000a; color: #fff; border-radius: 99px; font-size: .75rem; padding: .1rem .55rem; }
.failed { margin: 0; padding-left: 1.1rem; }
.caption { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; font-size: .875rem; margin-top: .4rem; }
.slides { display: flex; gap: .75rem; overflow-x: auto; scroll-snap-type: x mandatory; padding: 1rem 0; }
.slides figure { margin: 0; flex: none; scroll-snap-align: start; }
.slides img { display: block; height: min(72vh, 660px); width: auto; border-radius: 12px; border: 1px solid var(--line); }
.slides figcaption { color: var(--quiet); font-size: .8rem; text-align: center; margin-top: .3rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 99px; padding: 0 .6rem; font-size: .8rem; margin-right: .3rem; }
fieldset { border: 1px solid var(--line); border-radius: 10px; margin: 1rem 0; }
fieldset label { display: block; }
.stack { display: grid; gap: .6rem; }
button { font: inherit; padding: .7rem 1rem; border: 0; border-radius: 10px; background: #111; color: #fff; cursor: pointer; }
@media (prefers-color-scheme: dark) { button { background: #f4f4f6; color: #111; } }
button.plain { background: none; color: inherit; border: 1px solid var(--line); width: 100%; margin-top: .6rem; }
.posts button { padding: .35rem .8rem; font-size: .85rem; margin-top: .5rem; width: 100%; }
`;
