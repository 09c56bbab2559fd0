import pg from 'pg';
import { signUp } from '../../kit/clients/api.ts';

export type Prepared = { accountId: string; email: string; token: string; appId: string };

/**
 * Signs up, imports an app, and reads from the database what the API never shows: the account's id and
 * address.
 */
export async function prepareAccounts(
  baseUrl: string,
  databaseUrl: string,
  count: number,
): Promise<Prepared[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const accounts: Prepared[] = [];
  for (let index = 0; index < count; index += 1) {
    const { api, key } = await signUp(baseUrl);
    const app = await api<{ id: string }>('POST', '/apps', {
      token: key,
      body: { name: 'Pebblo', appStoreUrl: 'https://apps.apple.com/us/app/pebblo/id9990000011' },
    });
    if (app.error) throw new Error(app.error.message);
    const { rows } = await client.query<{ accountId: string; email: string }>(
      `select a.account_id as "accountId", u.email from content.apps a
       join gateway.users u on u.account_id = a.account_id where a.id = $1`,
      [app.data.id],
    );
    accounts.push({ ...(rows[0] as { accountId: string; email: string }), token: key, appId: app.data.id });
  }
  await client.end();
  return accounts;
}
