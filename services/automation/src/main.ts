import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('automation', async () => (await import('./service.ts')).automation);
