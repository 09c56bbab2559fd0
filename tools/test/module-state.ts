import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyExceptions } from './exceptions.ts';
import { listSources } from './source-files.ts';

// A `let`, or a collection that starts empty: both change while the process runs.
const STATE =
  /^(?:export )?(?:(?:let|var) (\w+)|const (\w+)(?:: [^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\]);)/;

const drawing =
  'one process draws on one thread with two slots, whoever asks: a second pool would share the cores';
const loadedOnce = 'a library, a font or a table loaded with its first use';
const patch = 'kafkajs is patched once per process';

/**
 * Variables of modules, and why each belongs to the process instead of an object that is made once. They are
 * shared by all services that one process runs (`npm start`) and by all tests of a file.
 */
const MAY_CHANGE: Readonly<Record<string, string>> = {
  'packages/shared/src/bus/kafka/library.ts isQuiet': patch,
  'packages/shared/src/bus/kafka/library.ts isReleasing': patch,
  'packages/shared/src/http/routes.ts writers': 'compiled once per contract, which the process shares',
  'packages/shared/src/kernel/gauges.ts watched': 'a process has one exporter of metrics',
  'packages/shared/src/kernel/ids.ts writtenMs': 'the time part of ids, reused within a millisecond',
  'packages/shared/src/kernel/log-level.ts children': 'SIGUSR2 changes the level of the process',
  'packages/shared/src/kernel/logger.ts standardOutput': 'a process has one standard output',
  'packages/shared/src/kernel/logger.ts timeText': 'the text of a time, reused within a millisecond',
  'packages/shared/src/kernel/logger.ts timedMs': 'the text of a time, reused within a millisecond',
  'packages/shared/src/kernel/metrics.ts isOn': 'a process has one exporter of metrics',
  'packages/shared/src/kernel/random-pool.ts used': 'random bytes are drawn for 256 ids at once',
  'packages/shared/src/kernel/suspects.ts listeners': 'pools of one host warn each other, across services',
  'packages/shared/src/kernel/watchdog.ts inProgress': 'liveness is answered for the whole process',
  'packages/shared/src/kernel/watchdog.ts ticking': 'liveness is answered for the whole process',
  'packages/shared/src/postgres/db.ts preparedNames': 'the name of a statement is computed once per text',
  'packages/shared/src/postgres/dedicated-connection.ts closing': 'marks connections, and ends with them',
  'packages/slides/src/canvas.ts loading': loadedOnce,
  'packages/slides/src/designs/grain.ts tile': loadedOnce,
  'packages/slides/src/layout/fonts.ts families': loadedOnce,
  'packages/slides/src/layout/fonts.ts registered': 'the drawing library registers fonts per process',
  'packages/slides/src/pack-pixels.ts compiled': loadedOnce,
  'packages/slides/src/pack-pixels.ts idle': drawing,
  'packages/slides/src/render-slots.ts lastStart': drawing,
  'packages/slides/src/render-slots.ts running': drawing,
  'packages/slides/src/render-slots.ts starts': drawing,
  'packages/slides/src/render-slots.ts used': drawing,
  'packages/slides/src/render-slots.ts waiting': drawing,
  'packages/slides/src/render-thread.ts lastId': drawing,
  'packages/slides/src/render-thread.ts rest': drawing,
  'packages/slides/src/render-thread.ts silence': drawing,
  'packages/slides/src/render-thread.ts thread': drawing,
  'packages/slides/src/render-thread.ts waiting': drawing,
  'packages/slides/src/render-worker.ts unread': 'a thread has one conversation with its owner',
  'packages/slides/src/sharp.ts loading': loadedOnce,
  'services/analytics/src/collecting/pacific-day.rules.ts pacific': loadedOnce,
  'services/gateway/src/edge/forward/answer.ts writes':
    'answers of one turn of the event loop, which is the process',
  'services/gateway/src/site/mcp/routes.ts handle': loadedOnce,
};

/** Modules that keep state, as `file name`; entries of the list without a variable are complaints too. */
export function findModuleState(
  root: string,
  exceptions: Readonly<Record<string, string>> = MAY_CHANGE,
): string[] {
  const found = listSources(root, ['services', 'packages/shared', 'packages/slides']).flatMap(file => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap(line => {
      const [, variable, collection] = STATE.exec(line) ?? [];
      const name = variable ?? collection;
      return name === undefined ? [] : [`${file} ${name}`];
    });
  });
  const complaints = new Map(found.map(key => [key, [`${key} is state of a module: keep it in deps`]]));
  return applyExceptions(complaints, exceptions, key => `${key} does not exist`);
}
