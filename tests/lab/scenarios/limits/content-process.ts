/** The real content service as a process, with the Postgres log as its bus. */
import { content } from '@hookline/content';
import { createPostgresLogBus } from '@hookline/shared/bus/postgres-log';
import { topics } from '@hookline/shared/events';
import { openDatabase } from '@hookline/shared/postgres';
import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess(content, async ({ env, log, shutdown }) => {
  const database = openDatabase({ url: env.BUS_URL ?? '', connectionsMax: 4, name: 'bus', log });
  const bus = createPostgresLogBus({ database, log });
  shutdown.add('bus', 'bus', () => bus.close());
  shutdown.add('stores', 'bus database', () => database.close());
  await bus.ensureTopics(topics);
  return bus;
});
