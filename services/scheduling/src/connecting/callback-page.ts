import { barePage, escapeHtml, RawAnswer } from '@hookline/shared/http';

export const tooLate =
  'This connection took longer than 10 minutes or was finished before. Begin it again in Hookline, under Accounts.';

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
    show('Not connected', error.code === 'invalid_request' ? ${JSON.stringify(tooLate)} : error.message);
    const back = document.querySelector('nav a');
    if (back) back.textContent = 'Connect again';
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

/** The page asks which workspace the account becomes part of, and then leads to `returnTo` in the console. */
export function finishPage(state: string, returnTo: string | null): RawAnswer {
  const text =
    'Nothing is connected yet. Sign in to the Hookline workspace that began this connection, in this browser, and reload this page within 10 minutes.';
  const target = returnTo ? ` data-return-to="${escapeHtml(returnTo)}"` : '';
  const attributes = ` data-state="${escapeHtml(state)}"${target}`;
  return page(200, 'Sign in to finish', text, returnTo, { attributes, script });
}

/** The person sees this page when there is nothing to finish. */
export function callbackPage(
  status: number,
  title: string,
  text: string,
  returnTo: string | null = null,
): RawAnswer {
  return page(status, title, text, returnTo);
}

function page(
  status: number,
  title: string,
  text: string,
  returnTo: string | null,
  more: { attributes?: string; script?: string } = {},
): RawAnswer {
  const after = returnTo ? `<nav><a href="${escapeHtml(returnTo)}">Back to Hookline</a></nav>` : '';
  const { html, headers } = barePage({ title, content: `<p>${escapeHtml(text)}</p>`, after, ...more });
  // The address of the page has the code of the platform.
  return new RawAnswer(status, html, { ...headers, 'referrer-policy': 'no-referrer' });
}
