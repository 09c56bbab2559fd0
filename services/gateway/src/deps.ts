import type { Database } from '@hookline/shared/postgres';
import type { Admissions } from './limits/admission.ts';
import type { Passwords } from './passwords.ts';

/** What the gateway's own routes work with. */
export type GatewayDeps = {
  db: Database;
  admissions: Admissions;
  passwords: Passwords;
  now: () => Date;
};
