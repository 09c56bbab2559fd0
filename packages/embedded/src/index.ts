export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './postgres.ts';
export { createPostgresLauncher } from './postgres-binaries.ts';
