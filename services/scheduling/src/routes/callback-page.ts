import { RawAnswer } from '@hookline/shared/http';

/** The page that a person sees after TikTok's consent page. */
export function callbackPage(status: number, title: string, text: string): RawAnswer {
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:18px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto 0;padding:0 1.5rem;color:#1a1a1a;background:#fafaf8}h1{font-size:1.6rem;margin:0 0 .5rem}</style>
<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></html>
`;
  return new RawAnswer(status, page, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, character => names[character] ?? '');
}
