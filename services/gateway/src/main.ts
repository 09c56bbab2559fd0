import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('gateway', async () => (await import('./service.ts')).gateway);
