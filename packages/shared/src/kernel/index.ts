export { type Breaker, createBreaker } from './breaker.ts';
export { recordCall } from './client-span.ts';
export { ConfigurationError, inheritedEnvironment, loadSettings, requireSettings } from './config.ts';
export { connectCodes, explainHost, neverConnected } from './connect-failure.ts';
export * from './context.ts';
export {
  createFairQueue,
  type FairQueue,
  type QueuedRequest,
  QueueFullError,
} from './fair-queue.ts';
export { createGatherer } from './gather.ts';
export { watchGauge } from './gauges.ts';
export { newId, timeOfId } from './ids.ts';
export { doLaterWork, type SetAttributes } from './later-work.ts';
export { changeLevelOnSignal } from './log-level.ts';
export { createLogger, type Logger, openLogFile, rotateLog } from './logger.ts';
export { createMediaLinks, linkLifetimeMs, type MediaLinks, thumbnailWidth } from './media-links.ts';
export {
  defineMetrics,
  type MetricDeclarations,
  type MetricDefinition,
  named,
  prometheusName,
  type SpanDefinition,
} from './metric-definitions.ts';
export { areMetricsOn, createCountMetric, createDurationMetric, startMetrics } from './metrics.ts';
export { type Page, pageValues, readPage, toPage } from './paging.ts';
export { pruneBatch } from './prune-batch.ts';
export { createRecall } from './recall.ts';
export { releaseMemoryOfStart } from './release-memory.ts';
export { dayMs, hourMs, minuteMs } from './rules/durations.ts';
export { sha256 } from './rules/sha256.ts';
export { sameBytes } from './same-bytes.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export type { NamedKey } from './setting-forms.ts';
export * as forms from './setting-forms.ts';
export * from './settings.ts';
export { sharedMetrics } from './shared-metrics.ts';
export { createShutdown, exitOnSignals, type Shutdown } from './shutdown.ts';
export { onSuspicion, suspectHost } from './suspects.ts';
export { createTurns, type Turns } from './turns.ts';
export { type Checker, checker } from './validation.ts';
export { stuckWork, watchStuck, watchWork } from './watchdog.ts';
export { within } from './within.ts';
export { startWorkerLoop, type WorkerLoop } from './worker-loop.ts';
