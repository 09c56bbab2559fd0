import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { nodeOptionsOf } from './deployment-limits.ts';
import { services } from './stack.ts';

describe('nodeOptionsOf', () => {
  it('is half of the container for the old generation, and the young one of V8 or of the command', () => {
    expect(nodeOptionsOf('content')).toBe('--max-old-space-size=384 --max-semi-space-size=16');
    expect(nodeOptionsOf('gateway')).toBe('--max-old-space-size=192 --max-semi-space-size=32');
    expect(nodeOptionsOf('scheduling')).toBe('--max-old-space-size=192 --max-semi-space-size=1');
  });

  it('is what a process takes as its limit, for every service', () => {
    for (const service of services) {
      const options = nodeOptionsOf(service);
      const [old, semi] = [...options.matchAll(/=(\d+)/g)].map(match => Number(match[1]));
      const script =
        'process.stdout.write(String(require("v8").getHeapStatistics().heap_size_limit / 2 ** 20))';
      const limit = execFileSync(process.execPath, ['-e', script], {
        env: { ...process.env, NODE_OPTIONS: options },
      });
      expect([service, Number(limit)]).toEqual([service, old! + 3 * semi!]);
    }
  });
});
