import { gatewaySettings } from '@hookline/gateway/settings';
import { ConfigurationError, loadSettings, pickSettings, type SettingsOf } from '@hookline/shared/kernel';
import { platformSettings, requireWholePlatforms, usesSimulators } from './platforms.ts';

const standaloneSettings = {
  ...pickSettings(
    'PORT',
    'HOST',
    'SIMULATORS_PORT',
    'SIMULATORS_CONTROL_TOKEN',
    'DATA_DIR',
    'PUBLIC_URL',
    'LOG_LEVEL',
    'DATABASE_URL',
    'REDIS_URL',
    'KAFKA_BROKERS',
    'KAFKA_SASL_MECHANISM',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'METRICS_PORT',
    'METRICS_HOST',
    'LLM_BUDGET_SECONDS',
    'ROLE',
  ),
  EMAIL_VERIFICATION: gatewaySettings.EMAIL_VERIFICATION,
  ...platformSettings,
};

export type StandaloneSettings = SettingsOf<typeof standaloneSettings>;

/** @throws ConfigurationError with one sentence: malformed, or made for services of their own */
export function loadStandaloneSettings(env?: Record<string, string | undefined>): StandaloneSettings {
  const settings = loadSettings(standaloneSettings, env);
  const distributed: string[] = (['REDIS_URL', 'KAFKA_BROKERS', 'KAFKA_SASL_MECHANISM'] as const).filter(
    name => settings[name] !== undefined,
  );
  if (settings.ROLE !== 'all') distributed.push('ROLE');
  if (distributed.length > 0) {
    throw new ConfigurationError(
      `${distributed.join(', ')} is set, but "npm start" runs everything in one process: unset it, or start each service as its own process ("node services/<name>/src/main.ts").`,
    );
  }
  requireWholePlatforms(settings);
  if (settings.PORT !== 0 && settings.PORT === settings.SIMULATORS_PORT && usesSimulators(settings))
    throw new ConfigurationError(
      `PORT and SIMULATORS_PORT are both ${settings.PORT}: choose another for one.`,
    );
  return settings;
}
