/** The reference at `/docs`: one page without scripts or outside files, readable offline. */
import { errorCatalogue } from '@hookline/shared/errors';
import { apiRoot, type PublicRoute, publicRoutes } from './public-api.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #8884; }
code { font: .9em ui-monospace, monospace; }
`;

export function buildDocsPage(publicUrl: string): string {
  const api = publicRoutes.filter(route => route.contract);
  const groups = Map.groupBy(api, route => route.contract?.path.split('/')[1] ?? '');
  const sections = [...groups].map(([name, routes]) => section(name, routes)).join('');
  const errors = Object.entries(errorCatalogue)
    .map(([code, { status, meaning }]) => row([`<code>${code}</code>`, String(status), prose(meaning)]))
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hookline API</title><style>${style}</style></head><body>
<h1>Hookline API</h1>
<p>Base URL: <code>${escapeHtml(publicUrl + apiRoot)}</code>. Send an API key as
<code>Authorization: Bearer svc_live_...</code>; routes marked <em>session</em> take a login session
(<code>sess_...</code>). The machine-readable document is <a href="${apiRoot}/openapi.json">openapi.json</a>.</p>
${sections}
<h2>Errors</h2><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${errors}</table>
</body></html>`;
}

function section(name: string, routes: readonly PublicRoute[]): string {
  const rows = routes.map(({ method, auth, scopes, contract }) =>
    row([
      `<code>${method} ${escapeHtml(contract?.path ?? '')}</code>`,
      auth === 'key' ? scopes.map(scope => `<code>${scope}</code>`).join(' ') || 'any key' : auth,
      prose(contract?.summary ?? ''),
    ]),
  );
  return `<h2>${escapeHtml(name)}</h2><table><tr><th>Route</th><th>Needs</th><th></th></tr>${rows.join('')}</table>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
}

function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
