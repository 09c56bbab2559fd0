import { describe, expect, it, vi } from 'vitest';
import { createLogger } from '../kernel/index.ts';
import { startTelemetry } from './telemetry.ts';

async function linesOfStart(): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ destination: { write: line => void lines.push(JSON.parse(line)) } });
  const telemetry = await startTelemetry('content', 'http://127.0.0.1:9', log);
  await telemetry.stop();
  return lines;
}

describe('telemetry at the start', () => {
  it('warns of what records nothing', async () => {
    vi.stubEnv('OTEL_SDK_DISABLED', 'true');
    expect(await linesOfStart()).toMatchObject([
      { level: 'warn', missing: ['requests, events and statements'] },
    ]);
    vi.unstubAllEnvs();
  });

  it('says that it is on when requests, statements and outgoing requests are recorded', async () => {
    expect(await linesOfStart()).toMatchObject([{ level: 'info', msg: 'telemetry is on' }]);
  });
});
