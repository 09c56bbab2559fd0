export * from './postgres.ts';
export { createPostgresLauncher } from './postgres-binaries.ts';
