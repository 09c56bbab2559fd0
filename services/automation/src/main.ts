import { runServiceProcess } from '@hookline/shared/service';
import { automation } from './service.ts';

await runServiceProcess(automation);
