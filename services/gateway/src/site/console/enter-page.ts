import { sha256 } from '@hookline/shared/kernel/sha256';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 26rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; min-width: 10rem; border-radius: .5rem; border: 1px solid; cursor: pointer; }
`;
const styleHash = sha256(style).toString('base64');

/** The pages below need the style by its digest, an empty icon, and one form. */
export const enterPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  // The empty icon, without which a browser asks for /favicon.ico.
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** One button, so that a program that follows links does not use up the token. */
export function enterPage(token: string): string {
  return pageOf(
    'Sign in to Hookline',
    `<p>This link signs you in once, in this browser.</p>
<form method="post" action="/console/enter"><input type="hidden" name="token" value="${escapeHtml(token)}"><button>Sign in</button></form>`,
  );
}

export function refusalPage(reason: string): string {
  return pageOf('This link does not sign you in', `<p>${reason}</p><p><a href="/console">Sign in</a></p>`);
}

export function notSignedInPage(reason: string): string {
  return pageOf(
    'You are not signed in',
    `<p>${escapeHtml(reason)}</p><p><a href="/console/sign-in">Back to the sign-in</a></p>`,
  );
}

function pageOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><h1>${title}</h1>
${content}
</main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
