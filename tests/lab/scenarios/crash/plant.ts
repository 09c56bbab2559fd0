/**
 * The defect that the proof must find: the charge is not in the transaction that writes the content. Wraps
 * the victim's Postgres client beneath the probe, so that the probe's points are those of the product;
 * nothing in the product knows about it.
 */
import pg from 'pg';

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

/** From now on a charge is made on a separate connection, and is committed at once. */
export function plantEarlyCharge(): void {
  const original = pg.Client.prototype.query as unknown as Query;
  let opening: Promise<pg.Client> | undefined;
  const planted: Query = function (...args) {
    if (!isCharge(args[0])) return original.apply(this, args);
    opening ??= openBeside(this);
    return opening.then(beside => original.apply(beside, args));
  };
  (pg.Client.prototype as { query: unknown }).query = planted;
}

async function openBeside(client: pg.Client): Promise<pg.Client> {
  const { connectionParameters } = client as unknown as { connectionParameters: pg.ClientConfig };
  const beside = new pg.Client(connectionParameters);
  await beside.connect();
  return beside;
}

function isCharge(statement: unknown): boolean {
  const text = typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '');
  return /insert into credit_ledger/.test(text) && /'generation'/.test(text);
}
