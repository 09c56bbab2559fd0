import { barePage, escapeHtml } from '@hookline/shared/http';

/** One button, so that a program that follows links does not use up the token. */
export function enterPage(token: string) {
  return barePage({
    title: 'Sign in to Hookline',
    content: `<p>This link signs you in once, in this browser.</p>
<form method="post" action="/console/enter"><input type="hidden" name="token" value="${escapeHtml(token)}"><button>Sign in</button></form>`,
  });
}

export function refusalPage(reason: string) {
  return pageWithLink('This link does not sign you in', reason, '<a href="/console">Sign in</a>');
}

export function notSignedInPage(reason: string) {
  return pageWithLink('You are not signed in', reason, '<a href="/console/sign-in">Back to the sign-in</a>');
}

function pageWithLink(title: string, reason: string, link: string) {
  return barePage({ title, content: `<p>${escapeHtml(reason)}</p><p>${link}</p>` });
}
