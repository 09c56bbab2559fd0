/**
 * Settings for a single machine: durable (fsync stays on), small when idle (no unneeded worker processes),
 * quiet (no statements or row values in the log, because tables hold hashes and ciphertext).
 */
export const POSTGRES_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // Iterations slow down guesses, and nobody guesses 24 random bytes; 4,096 cost 1.2 ms
  // for each of 50 connections.
  scram_iterations: '1',
  max_connections: '80',
  shared_buffers: '32MB',
  maintenance_work_mem: '32MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // In Postgres's own memory: from /dev/shm systemd removes the rest when an ordinary user logs out, and then
  // every new connection failed.
  min_dynamic_shared_memory: '4MB',
  // The log is needed for crash recovery only; there are no replicas.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_logical_replication_workers: '0',
  autovacuum: 'on',
  autovacuum_worker_slots: '4',
  autovacuum_max_workers: '2',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** The settings as arguments of `postgres`. */
export function settingsArgs(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
