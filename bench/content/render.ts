/**
 * The same six slides drawn by our renderer and by satori + resvg-js + sharp: CPU and time per deck.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { percentileOf } from '../../tests/lab/kit/checks/percentile.ts';
import { cpuUsWithEnded } from '../harness/cpu.ts';
import { figureOf, ratioOf } from '../harness/figures.ts';
import { installPeer } from '../harness/peers.ts';
import { type RoundTable, runRounds } from '../harness/rounds.ts';
import { deckTexts } from './deck-texts.ts';

export type SlideText = { text: string; mark: string };

type Deck = { slideMs: number[]; bytes: number[]; sizes: string[] };
type Renderer = {
  name: string;
  pid: number;
  draw(slides: readonly SlideText[]): Promise<Deck>;
  stop(): void;
};

const slides: SlideText[] = deckTexts.map((text, index) => ({
  text,
  mark: `${index + 1}/${deckTexts.length}`,
}));
// Twice the number of designs, so that every round includes each of them.
const decksPerRound = 12;
const size = '1080x1920';

/** @throws Error when a peer is unavailable or draws another size: an absent peer is not a beaten one */
export async function measureRendering(rounds: number): Promise<Record<string, unknown>> {
  const satori = await installPeer('satori');
  const renderers = [
    open('own', [join(import.meta.dirname, 'render-own.ts')]),
    open('satori', [join(satori, 'render.js')]),
  ];
  try {
    for (const renderer of renderers) for (let warm = 0; warm < 6; warm += 1) await renderer.draw(slides);
    const table = await runRounds(renderers, rounds, measureRound);
    return { render: table, ...compare(table) };
  } finally {
    for (const renderer of renderers) renderer.stop();
  }
}

async function measureRound({ name, pid, draw }: Renderer): Promise<Record<string, number>> {
  const before = cpuUsWithEnded(pid);
  const slideMs: number[] = [];
  const deckMs: number[] = [];
  let bytes = 0;
  for (let drawn = 0; drawn < decksPerRound; drawn += 1) {
    const beganMs = performance.now();
    const deck = await draw(slides);
    deckMs.push(performance.now() - beganMs);
    slideMs.push(...deck.slideMs);
    bytes += deck.bytes.reduce((sum, one) => sum + one, 0);
    if (deck.sizes.length !== slides.length || deck.sizes.some(one => one !== size))
      throw new Error(`${name} drew ${deck.sizes.join()}`);
  }
  return {
    cpuMsPerDeck: (cpuUsWithEnded(pid) - before) / 1000 / decksPerRound,
    slideMs: percentileOf(
      slideMs.toSorted((a, b) => a - b),
      0.5,
    ),
    deckMs: figureOf(deckMs).median,
    kilobytesPerSlide: bytes / decksPerRound / slides.length / 1024,
  };
}

function compare(table: RoundTable) {
  const cpu = (name: string) => {
    const found = table[name]?.cpuMsPerDeck;
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  };
  return {
    deckCpuOfSatori: ratioOf(cpu('own'), cpu('satori')),
  };
}

function open(name: string, args: readonly string[]): Renderer {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return {
    name,
    pid: child.pid as number,
    async draw(deck) {
      child.stdin?.write(`${JSON.stringify(deck)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${name} ended`);
      return JSON.parse(value) as Deck;
    },
    stop: () => child.stdin?.end(),
  };
}
