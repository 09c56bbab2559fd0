export { allTools, toolsFor } from './all-tools.ts';
export { type Api, type ApiAnswer, type ApiCall, ApiFailure } from './api.ts';
export { type CallOutcome, callTool, describeTool, type Failure, failed } from './call-tool.ts';
export { nextSteps } from './next-steps.ts';
export { prompts, promptText } from './prompts.ts';
export { readResource, resourceTemplates } from './resources.ts';
export { idempotencyKeyOf, type Tool } from './tool.ts';
