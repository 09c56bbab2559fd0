import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openKeyboard } from './keyboard.ts';

function terminal() {
  const stdin = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode: (isRaw: boolean) => {
      stdin.isRaw = isRaw;
      return stdin as unknown as NodeJS.ReadStream;
    },
  });
  const abort = new AbortController();
  let interruptions = 0;
  const keyboard = openKeyboard(stdin as unknown as NodeJS.ReadStream, abort.signal, () => {
    interruptions += 1;
  });
  const press = async (text: string): Promise<void> => {
    stdin.write(text);
    await setImmediate();
  };
  return { stdin, abort, keyboard, press, interruptions: () => interruptions };
}

it('a key that is pressed while none is awaited decides nothing', async () => {
  const { keyboard, press } = terminal();
  await press('a');
  const first = keyboard.next();
  await press('s');
  await press('a');
  expect(await first).toBe('s');
  const second = keyboard.next();
  await press('q');
  expect(await second).toBe('q');
});

it('a question has the terminal for itself', async () => {
  const { stdin, keyboard, press } = terminal();
  await keyboard.lend(async () => {
    expect(stdin.listenerCount('data')).toBe(0);
    stdin.setRawMode(false);
  });
  expect(stdin.isRaw).toBe(true);
  const next = keyboard.next();
  await press('a');
  expect(await next).toBe('a');
});

it('Ctrl-C interrupts, whether a key is awaited or not', async () => {
  const { keyboard, press, interruptions } = terminal();
  await press('\u0003');
  expect(interruptions()).toBe(1);
  const next = keyboard.next();
  await Promise.all([expect(next).rejects.toThrow('Interrupted.'), press('\u0003')]);
});

it('the end of the command rejects, and a hundred keys leave one listener', async () => {
  const { stdin, abort, keyboard, press } = terminal();
  for (let times = 0; times < 100; times += 1) {
    const next = keyboard.next();
    await press('s');
    await next;
  }
  expect([stdin.listenerCount('data'), stdin.isRaw]).toEqual([1, true]);
  const next = keyboard.next();
  abort.abort();
  await expect(next).rejects.toThrow('Interrupted.');
  await expect(keyboard.next()).rejects.toThrow('Interrupted.');
  keyboard.close();
  expect([stdin.listenerCount('data'), stdin.isRaw]).toEqual([0, false]);
});
