/** Changes the log level of a running process. */
import type { pino } from 'pino';

export type Logger = pino.Logger;

/** Child loggers by parent: a child's level does not follow its parent's. */
const children = new WeakMap<Logger, Logger[]>();

/** For a logger with few children that live as long as it does. */
export function rememberChild(root: Logger, child: Logger): void {
  const known = children.get(root);
  if (known) known.push(child);
  else children.set(root, [child]);
}

function setLogLevel(root: Logger, level: string): void {
  for (const logger of [root, ...(children.get(root) ?? [])]) logger.level = level;
}

/**
 * SIGUSR2 switches the process to `debug`, the next one to `trace`, the next one back to its configured
 * level; each change is logged. (SIGUSR1 is Node's own: it opens the debugger.)
 * @param root the logger whose level, with its children's, is changed. @param log logs the change
 */
export function changeLevelOnSignal(root: Logger, log: Logger = root): void {
  const levels = [...new Set([root.level, 'debug', 'trace'])];
  let at = 0;
  process.on('SIGUSR2', () => {
    at = (at + 1) % levels.length;
    const level = levels[at] as string;
    setLogLevel(root, level);
    log.warn({ logLevel: level }, 'the log level was changed');
  });
}
