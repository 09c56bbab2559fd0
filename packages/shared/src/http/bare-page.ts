/** A page of a service outside the console, in the console's colours and with its mark. */
import { sha256 } from '../kernel/index.ts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; --ground: #f7f5ef; --sheet: #fff; --line: #dedacd; --ink: #13211f; --soft: #55615d; --primary: #11302b; --on-primary: #f7f5ef; --focus: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e1716; --sheet: #162220; --line: #2b3d39; --ink: #ecf1ee; --soft: #a6b5b0; --primary: #e6efe9; --on-primary: #0e1716; --focus: #8ab4ff; } }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
body > div { box-sizing: border-box; width: min(100% - 2rem, 27rem); margin: 1rem 0; padding: 1.75rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 1rem; }
header { display: flex; align-items: center; gap: .75rem; font-weight: 700; font-size: 1.1875rem; }
svg { width: 2.5rem; height: 2.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.015em; margin: 1.5rem 0 .5rem; text-wrap: balance; }
p { margin: 0 0 1.5rem; color: var(--soft); }
p:last-child { margin-bottom: 0; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 3.25rem; border: 0; border-radius: .625rem; background: var(--primary); color: var(--on-primary); cursor: pointer; }
button:disabled { opacity: .6; }
a { color: inherit; font-weight: 500; text-underline-offset: 4px; }
nav { margin-top: 1.25rem; }
nav a { display: grid; place-items: center; min-height: 3.25rem; }
main:not(:has(button)) + nav a { font-weight: 600; border-radius: .625rem; text-decoration: none; background: var(--primary); color: var(--on-primary); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#11302b"/><path d="M19 5v14a5.5 5.5 0 1 1-11 0" fill="none" stroke="#f7f5ef" stroke-width="3" stroke-linecap="round"/><circle cx="19" cy="8" r="4.5" fill="#ff6b4a"/></svg>';

type Given = {
  title: string;
  /** Markup below the title. */
  content: string;
  /** Attributes of `main`. */
  attributes?: string;
  /** Markup after `main`. */
  after?: string;
  script?: string;
};

/** @returns the page and the headers it is sent with; its style and its script are allowed by their digests */
export function barePage({ title, content, attributes = '', after = '', script }: Given) {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><div><header>${mark}Hookline</header><main${attributes}><h1>${escapeHtml(title)}</h1>
${content}</main>${after}</div>${script ? `<script>${script}</script>` : ''}</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    // The empty icon, without which a browser asks for /favicon.ico.
    'img-src data:',
    script ? `script-src ${digestOf(script)}; connect-src 'self'` : '',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.filter(directive => directive !== '').join('; '),
      'x-content-type-options': 'nosniff',
    },
  };
}

function digestOf(text: string): string {
  return `'sha256-${sha256(text).toString('base64')}'`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
