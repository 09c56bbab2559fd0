/**
 * One service as a separate process, over the Postgres log instead of Kafka: arguments are its name and the
 * bus's URL.
 */
import { content } from '@hookline/content';
import { scheduling } from '@hookline/scheduling';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { topics } from '@hookline/shared/events';
import { createLogger, createShutdown, exitOnSignals, inheritedEnvironment } from '@hookline/shared/kernel';
import { openDatabase } from '@hookline/shared/postgres';
import { type ServiceDefinition, startService } from '@hookline/shared/service';

const [name = '', busUrl = ''] = process.argv.slice(2);
const services: Record<string, ServiceDefinition<never>> = {
  content: content as ServiceDefinition<never>,
  scheduling: scheduling as ServiceDefinition<never>,
};
const service = services[name];
if (!service) throw new Error(`there is no service "${name}"`);
const log = createLogger({ service: name, level: 'info' });
const shutdown = createShutdown(log);
exitOnSignals(shutdown, log);
const database = openDatabase({ url: busUrl, connectionsMax: 4, name: `bench bus of ${name}`, log });
const bus = createPostgresLogBus({ database, log, pollMs: 2_000 });
shutdown.add('bus', 'bus', () => bus.close());
shutdown.add('stores', 'bus database', () => database.close());
await bus.ensureTopics(topics);
await startService(service, { env: inheritedEnvironment(), bus, log, shutdown });
