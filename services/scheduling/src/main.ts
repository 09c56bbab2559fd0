import { runServiceProcess } from '@hookline/shared/service';
import { scheduling } from './service.ts';

await runServiceProcess(scheduling);
