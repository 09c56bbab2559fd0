/** The definition of a service, started in the same way in its own process or with the others in one. */
import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/index.ts';
import type { ServiceName } from '../contracts/scopes.ts';
import type { CallSigner, Drain, ReadinessCheck, ServiceClient } from '../http/index.ts';
import {
  type Logger,
  pickSettings,
  type SettingsOf,
  type SettingTable,
  type Shutdown,
} from '../kernel/index.ts';
import type { Database } from '../postgres/index.ts';
import type { Consumer } from './consumer.ts';

/** Settings that every service reads. */
export const commonSettings = pickSettings(
  'PORT',
  'HOST',
  'ROLE',
  'DATABASE_URL',
  'DATABASE_POOL_MAX',
  'SERVICE_SIGNING_KEYS',
  'CONTENT_URL',
  'SCHEDULING_URL',
  'AUTOMATION_URL',
  'ANALYTICS_URL',
);

export type CommonSettings = SettingsOf<typeof commonSettings>;

/**
 * The parts from which a service builds its dependencies.
 * @typeParam T the service's own settings
 */
export type ServiceRuntime<T extends SettingTable = Record<never, never>> = {
  settings: SettingsOf<T> & CommonSettings;
  db: Database;
  /** Signed calls to the other services. */
  peers: ServiceClient;
  /** Signs a call with the time of the database. */
  sign: CallSigner;
  log: Logger;
  shutdown: Shutdown;
  /** The time of the database. Tests may set it. */
  now: () => Date;
  /** False while the clock of the database has jumped: nothing that cannot be taken back may become due by it. */
  clockIsSteady: () => boolean;
  drain: Drain;
};

/** Adds one group of routes to the server. */
export type Routes<D> = (app: FastifyInstance, deps: D) => Promise<void> | void;

/**
 * A loop of a service: it works while there is work, then sleeps until a notification, a date or the next
 * poll.
 */
export type Worker = {
  /** File name of the worker, used in logs and metrics. */
  name: string;
  /**
   * Does one piece of work. True: there may be more. A date: run again by then. False: wait for a
   * notification.
   */
  work(): Promise<boolean | Date>;
  /** Longest time between two polls, in ms, at least 500. Covers a lost notification. */
  pollMs: number;
  /** Number of pieces in flight at the same time. Default 1. */
  concurrency?: number;
  /** It does nothing while the clock of the database has jumped. */
  needsSteadyClock?: true;
  /**
   * Called for each notification of a channel of the schema with its text, and without one where some may have been
   * missed; `{ [channel]: wake }` wakes the loop.
   */
  channels?: Readonly<Record<string, (text?: string) => void>>;
  /** Runs before the first poll. The start of the service waits for it. */
  start?(): Promise<void>;
  /** Replaces the end of the loop, for a worker with work in flight outside of it. It must call `endLoop`. */
  stop?(endLoop: () => Promise<void>): Promise<void>;
};

/** @param wake makes the worker run now */
export type MakeWorker<D> = (deps: D, wake: () => void) => Worker;

/** The parts that a public server is made from. */
export type ServerParts = { log: Logger; readiness: readonly ReadinessCheck[]; drain: Drain };

export type ServiceDefinition<T extends SettingTable = Record<never, never>, D = unknown> = {
  name: ServiceName;
  /** In addition to `commonSettings`. */
  settings: T;
  /** Built once per process, before anything that uses it. @throws ConfigurationError */
  deps(runtime: ServiceRuntime<T>): Promise<D> | D;
  /** Served in the roles `api` and `all`. */
  routes: readonly Routes<D>[];
  /** Started in the roles `worker` and `all`. */
  workers: readonly MakeWorker<D>[];
  /** Started in the roles `worker` and `all`. Absent: the service does without the bus, and has no roles. */
  consumers?(deps: D): readonly Consumer[];
  /** Runs in the roles `worker` and `all` before this process publishes; called again until it resolves. */
  beforePublishing?(deps: D, bus: Bus): Promise<void>;
  /**
   * True: the service publishes nothing, has no roles, and does all but consume in a process without a bus.
   * Its schema needs an inbox and no outbox.
   */
  onlyConsumes?: true;
  /** Registers the gauges that read tables, where the workers run. */
  gauges?(deps: D): void;
  /** Makes a server for strangers. Absent: the server answers signed calls of the other services only. */
  server?(deps: D, parts: ServerParts): FastifyInstance;
};

export function defineService<T extends SettingTable = Record<never, never>, D = unknown>(
  definition: ServiceDefinition<T, D>,
): ServiceDefinition<T, D> {
  return definition;
}
