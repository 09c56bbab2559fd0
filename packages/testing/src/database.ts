import { createLogger, type Logger } from '@hookline/shared/kernel';
import { type Database, openDatabase } from '@hookline/shared/postgres';

export const silent: Logger = createLogger({ service: 'test', level: 'silent' });

export function openTestDatabase(url: string, connectionsMax = 4): Database {
  return openDatabase({ url, connectionsMax, name: 'test', log: silent });
}
