import { runServiceProcess } from '@hookline/shared/service';
import { content } from './service.ts';

await runServiceProcess(content);
