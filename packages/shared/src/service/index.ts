export { type Consumer, on, startConsumers } from './consumer.ts';
export {
  defineService,
  type MakeWorker,
  type Routes,
  type ServerParts,
  type ServiceDefinition,
  type ServiceRuntime,
  type Worker,
} from './definition.ts';
export { peerUrls, type RunningService, startService } from './service.ts';
export { runServiceProcess } from './service-process.ts';
export { startTelemetry } from './telemetry.ts';
export { onePerPoll, pageByPage } from './work.ts';
