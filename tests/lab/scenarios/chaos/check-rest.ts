/** After the run: everything is ready again, nothing waits, and only poison messages were set aside. */
import type { Verdicts } from '../../kit/checks/verdict.ts';
import { invariants, type Run } from './invariants.ts';

export function checkRest({ history, evidence }: Run, verdicts: Verdicts): void {
  const find = verdicts.find.bind(null, invariants.rest);
  const poison = new Set<string>();
  for (const line of history) {
    if (line.kind === 'poison') poison.add(`${line.topic} ${line.key}`);
    if (line.kind === 'ready') {
      const what = `${line.service} ${line.replica}`;
      if (line.afterMs === null) find('lost', `${what} is not ready`);
      else find('ok', `${what} after ${line.afterMs} ms`);
    }
    if (line.kind === 'fell') find('unexpected', `${line.whom} ended by itself: ${line.text}`);
    if (line.kind === 'settled') for (const what of line.left) find('lost', `not over: ${what}`);
  }
  const set = new Set(evidence.deadLetters.map(({ topic, key }) => `${topic} ${key}`));
  for (const name of poison) find(set.has(name) ? 'ok' : 'lost', `${name} is a dead letter`);
  for (const { topic, key, group, error } of evidence.deadLetters)
    if (!poison.has(`${topic} ${key}`)) find('unexpected', `${group} set aside ${topic} ${key}: ${error}`);
  for (const what of evidence.broken) find('unexpected', what);
}
