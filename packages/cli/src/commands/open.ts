import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { usage } from '../failure.ts';
import { type ConsolePage, consolePages, pageUrl } from '../links.ts';
import { type Bind, findConsole, type Run } from '../run.ts';

export function addOpen(program: Command, bind: Bind): void {
  program
    .command('open [page]')
    .description('open the console in a browser, and print the address')
    .addHelpText('after', `\nPages: ${consolePages.join(', ')}`)
    .action(bind(open));
}

async function open(run: Run, page = 'home'): Promise<void> {
  if (!consolePages.includes(page as ConsolePage)) {
    throw usage(`There is no page "${page}"; there are ${consolePages.join(', ')}.`);
  }
  const url = pageUrl(await findConsole(run), page as ConsolePage);
  run.out.record({ url }, () => [url]);
  if (run.io.stdout.isTty) openBrowser(url, run.io.env);
}

/** Without a desktop, or when the program is missing, the printed address is all. */
function openBrowser(url: string, env: Run['io']['env']): void {
  const isRemote = Boolean(env.SSH_CONNECTION);
  const hasDesktop = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (isRemote || !hasDesktop) return;
  const [program, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]];
  const child = spawn(program as string, args as string[], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
