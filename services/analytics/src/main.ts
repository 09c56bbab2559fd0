import { runServiceProcess } from '@hookline/shared/service';
import { analytics } from './service.ts';

await runServiceProcess(analytics);
