import { createServer } from 'node:net';
import { ConfigurationError, explainHost } from '@hookline/shared/kernel';
import { usesSimulators } from './platforms.ts';
import type { StandaloneSettings } from './standalone-settings.ts';

/** The ports that `npm start` listens on, by their settings. */
export function portsOf(settings: StandaloneSettings): ['PORT' | 'SIMULATORS_PORT', number][] {
  const simulators = usesSimulators(settings) ? (['SIMULATORS_PORT'] as const) : [];
  return (['PORT', ...simulators] as const).map(name => [name, settings[name]]);
}

/**
 * Fails before anything is started. @throws ConfigurationError that names the setting and how to choose
 * another port
 */
export async function requireFreePort(setting: string, port: number, host: string): Promise<void> {
  if (port === 0) return;
  const code = await new Promise<string | null>(settled => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => settled(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => settled(null)));
  });
  if (code === null) return;
  const reason = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
  throw new ConfigurationError(
    explainHost(code, host) ??
      `Port ${port} on ${host} ${reason}: stop what uses it, or choose another with ${setting}, e.g. "${setting}=${port + 1} npm start".`,
  );
}
