export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  lockDataFolder,
  startEmbeddedPostgres,
} from './postgres.ts';
export { createPostgresLauncher } from './postgres-binaries.ts';
