import type { FastifyInstance } from 'fastify';
import { guardControl } from '../control/guard.ts';
import { type Html, html, sendPage } from '../pages/html.ts';
import type { World } from '../world.ts';
import type { Mail } from './state.ts';

const shownMax = 50;

/**
 * The mailbox of every address. Mails contain links that open accounts, so it is as closed as `/_control`.
 */
export function mailRoutes(app: FastifyInstance, world: World): void {
  app.get('/mail', (request, reply) => {
    if (!guardControl(world, request, reply)) return reply;
    const { to } = request.query as { to?: string };
    return sendPage(reply, 200, 'Mailbox', mailbox(world.mails.list(to ?? null), to ?? null));
  });
}

function mailbox(mails: Mail[], to: string | null): Html {
  return html`<main>
<p class="quiet"><a href="/">All creators</a></p>
<h1>Mailbox</h1>
<p class="quiet">Mails that were sent to the simulated SMTP server${to === null ? '' : ` for ${to}`}. Nothing leaves this machine.</p>
${mails.length === 0 ? html`<p>No mail has arrived.</p>` : null}
${mails.slice(0, shownMax).map(section)}
</main>`;
}

function section({ from, to, subject, text, at }: Mail): Html {
  return html`<section><h2>${subject || 'No subject'}</h2>
<p class="quiet">${from} to ${to.join(', ')}, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC</p>
<p class="text">${withLinks(text)}</p></section>`;
}

/** The text with its addresses as links. */
function withLinks(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
