import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('scheduling', async () => (await import('./service.ts')).scheduling);
