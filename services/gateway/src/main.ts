import { runServiceProcess } from '@hookline/shared/service';
import { gateway } from './service.ts';

await runServiceProcess(gateway);
