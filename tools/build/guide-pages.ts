/**
 * The guides of `docs/guides` as HTML pages without a script, which the gateway streams.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Guide, guides, linkedPaths } from '@hookline/gateway/documents';
import { Marked, type Tokens } from 'marked';

const root = join(import.meta.dirname, '../..');

/** Name and text of each. */
export function guidePages(): Record<string, string> {
  const pages = guides.map(guide => {
    const source = readFileSync(join(root, 'docs/guides', `${guide.name}.md`), 'utf8');
    return { guide, source };
  });
  return Object.fromEntries([
    ['index.html', htmlPage(null, indexBody())],
    ...pages.flatMap(({ guide, source }) => [
      [`${guide.name}.html`, htmlPage(guide, toHtml(source, guide.name))],
    ]),
  ]);
}

function toHtml(source: string, page: string): string {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = slugOf(text);
        const anchor =
          depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const served = href.replace(/^(\w+)\.md/, '/docs/$1');
        return `<a href="${served}">${this.parser.parseInline(tokens)}</a>`;
      },
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`;
        return linkedPaths.includes(text) ? `<a href="${text}">${code}</a>` : code;
      },
      code: ({ text }) => codeBlock(text),
      table({ header, rows }) {
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map(row => cells(row, 'td')).join('\n');
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead>${cells(header, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(source);
  let html = '';
  let count = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const group: Tokens.Code[] = [];
    while (tokens[index]?.type === 'space' && group.length === 0) index += 1;
    while (isTab(tokens[index])) {
      group.push(tokens[index] as Tokens.Code);
      index += tokens[index + 1]?.type === 'space' ? 2 : 1;
    }
    if (group.length > 0) {
      count += 1;
      html += tabs(group, `${page}-${count}`);
      index -= 1;
    } else if (tokens[index]) html += marked.parser([tokens[index] as Tokens.Generic]);
  }
  return html;
}

function isTab(token: Tokens.Generic | undefined): boolean {
  return token?.type === 'code' && / tab=/.test((token as Tokens.Code).lang ?? '');
}

/** Radio buttons choose the language: no script, and the keyboard works. */
function tabs(blocks: readonly Tokens.Code[], name: string): string {
  const inputs = blocks.map(({ lang = '' }, index) => {
    const label = /tab=(\S+)/.exec(lang)?.[1] ?? '';
    const id = `${name}-${index + 1}`;
    const checked = index === 0 ? ' checked' : '';
    return `<input type="radio" name="${name}" id="${id}"${checked}><label for="${id}">${label}</label>`;
  });
  const panels = blocks.map(({ text }) => `<div class="panel">${codeBlock(text)}</div>`);
  return `<fieldset class="tabs"><legend>Language</legend>${inputs.join('')}${panels.join('')}</fieldset>\n`;
}

function codeBlock(text: string): string {
  return `<pre tabindex="0" role="group" aria-label="Example"><code>${escapeHtml(text)}</code></pre>\n`;
}

function indexBody(): string {
  const rows = guides.map(
    ({ name, title, summary }) =>
      `<li><a href="/docs/${name}"><strong>${title}</strong><span>${summary}</span></a></li>`,
  );
  return `<h1 id="guides">Hookline for developers</h1>
<p>Decks for an app, written in seconds, approved by a person, posted to TikTok. Everything that the console does goes through the same
API.</p>
<ul class="cards">
${rows.join('\n')}
<li><a href="/docs/api"><strong>API reference</strong><span>every route, field, bound and error</span></a></li>
</ul>
`;
}

function htmlPage(guide: Guide | null, body: string): string {
  const path = guide ? `/docs/${guide.name}` : '/docs';
  const items = guides.map(
    ({ name, title }) =>
      `<li><a href="/docs/${name}"${name === guide?.name ? ' aria-current="page"' : ''}>${title}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide ? `${guide.title} · Hookline` : 'Hookline for developers'}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${path}.md">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><a class="brand" href="/docs">Hookline <small>docs</small></a><nav aria-label="Product"><a href="/console">Console</a> <a href="/docs/api">API reference</a></nav></header>
<div class="page">
<nav class="side" aria-label="Guides"><ul>
${items.join('\n')}
<li class="apart"><a href="/docs/api">API reference</a></li>
<li><a href="${path}.md">This page as Markdown</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
</ul></nav>
<main id="content">
${body}</main>
</div>
</body>
</html>
`;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
