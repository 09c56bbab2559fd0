import { runServiceProcess } from '@hookline/shared/service';

await runServiceProcess('analytics', async () => (await import('./service.ts')).analytics);
