export { type Consumer, on, startConsumers, watchLag } from './consumer.ts';
export type { BusReader } from './join-bus.ts';
export {
  defineService,
  type RunningService,
  type ServiceDefinition,
  type ServiceRuntime,
  startService,
} from './service.ts';
export { openProcessBus, type ProcessEnvironment, runServiceProcess } from './service-process.ts';
export { startTelemetry } from './telemetry.ts';
