import { RawAnswer } from '@hookline/shared/http';
import { sha256 } from '@hookline/shared/kernel/sha256';

/** The signed-in person finishes; without a cookie session in this browser nothing is connected. */
const script = `
const main = document.querySelector('main');
const api = '/console/api/v1';
const show = (title, text) => {
  main.querySelector('h1').textContent = title;
  main.querySelector('p').textContent = text;
};
const read = async answer => ((answer.headers.get('content-type') || '').includes('json') ? answer.json() : {});
const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
const button = document.createElement('button');
const attempt = async run => {
  button.disabled = true;
  try {
    await run();
  } catch {
    show('Hookline could not be reached', 'Check the connection and try again.');
    offer('Try again', run);
  }
  button.disabled = false;
};
const offer = (text, run) => {
  button.textContent = text;
  button.onclick = () => attempt(run);
  main.append(button);
};
const finish = async () => {
  const answer = await fetch(api + '/accounts/tiktok/finish', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ state: main.dataset.state }),
  });
  const { data, error } = await read(answer);
  if (!answer.ok && !error) throw new Error('no envelope');
  if (answer.status === 503) {
    show('Not connected yet', error.message);
    offer('Try again', finish);
    return;
  }
  button.remove();
  if (error) {
    show('Not connected', error.message);
    return;
  }
  const { returnTo } = main.dataset;
  show((data.username ? '@' + data.username : data.displayName) + ' is connected', returnTo ? '' : 'You can close this page.');
  if (returnTo) location.assign(returnTo);
};
const ask = async () => {
  const { data } = await read(await fetch(api + '/workspace'));
  if (!data) {
    button.remove();
    return;
  }
  show('Connect this TikTok account?', 'It becomes part of the workspace “' + data.name + '”, which can then post to it.');
  offer('Connect to ' + data.name, finish);
};
attempt(ask);
`;
const scriptHash = sha256(script).toString('base64');

/** The page asks which workspace the account becomes part of, and then leads to `returnTo` in the console. */
export function finishPage(state: string, returnTo: string | null): RawAnswer {
  const text =
    'Nothing is connected yet. Sign in to the Hookline workspace that began this connection, in this browser, and reload this page within 10 minutes.';
  return page({
    status: 200,
    title: 'Sign in to finish',
    text,
    returnTo,
    attributes: ` data-state="${escapeHtml(state)}"${returnTo ? ` data-return-to="${escapeHtml(returnTo)}"` : ''}`,
    end: `<script>${script}</script>`,
  });
}

/** The person sees this page when there is nothing to finish. */
export function callbackPage(
  status: number,
  title: string,
  text: string,
  returnTo: string | null = null,
): RawAnswer {
  return page({ status, title, text, returnTo, attributes: '', end: '' });
}

function linkBack(returnTo: string | null): string {
  return returnTo ? `<nav><a href="${escapeHtml(returnTo)}">Back to Hookline</a></nav>` : '';
}

type Page = {
  status: number;
  title: string;
  text: string;
  returnTo: string | null;
  /** These attributes are those of `main`; `end` follows it. */
  attributes: string;
  end: string;
};

function page({ status, title, text, returnTo, attributes, end }: Page): RawAnswer {
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:18px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto 0;padding:0 1.5rem;color:#1a1a1a;background:#fafaf8}h1{font-size:1.6rem;margin:0 0 .5rem}button{font:inherit;padding:.4rem 1rem}nav{margin-top:1.5rem}</style>
<main${attributes}><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>${linkBack(returnTo)}${end}</html>
`;
  const scripts = end ? `; script-src 'sha256-${scriptHash}'; connect-src 'self'` : '';
  return new RawAnswer(status, html, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'${scripts}`,
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
