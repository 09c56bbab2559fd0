/** A terminal with a shell, by tmux. */
import { execFileSync } from 'node:child_process';
import { eventually } from '@hookline/testing/eventually';

export const columns = 112;
const rows = 46;
const answerWithinMs = 30_000;

export type Terminal = {
  /** Types the keys in tmux's names; text is typed as it is. */
  press(...keys: string[]): void;
  /** Waits for the expected text. @returns the screen with its escape sequences, a line each */
  screen(expected: RegExp): Promise<string[]>;
  close(): void;
};

/** @param env all that the shell's environment has. @throws Error where tmux is not installed */
export function openTerminal(cwd: string, env: Record<string, string>): Terminal {
  const server = `hookline-${process.pid}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...args], { cwd, env, encoding: 'utf8' });
  tmux('new-session', '-d', '-s', 'one', '-x', `${columns}`, '-y', `${rows}`, 'bash --norc --noprofile');
  return {
    press: (...keys) => void tmux('send-keys', '-t', 'one', ...keys),
    async screen(expected) {
      await eventually(() => {
        const text = tmux('capture-pane', '-t', 'one', '-p');
        if (!expected.test(text)) throw new Error(`${expected} is not on the screen:\n${text}`);
      }, answerWithinMs);
      return tmux('capture-pane', '-t', 'one', '-p', '-e').trimEnd().split('\n');
    },
    close: () => void tmux('kill-server'),
  };
}
