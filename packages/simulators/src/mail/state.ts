import type { Journal, Table } from '../state/journal.ts';

export type Mail = { from: string; to: string[]; subject: string; text: string; at: number };

const mailsMax = 1_000;

export type MailState = {
  /** Newest first. @param to only those to this address */
  list(to: string | null): Mail[];
  add(mail: Mail): void;
};

/** The newest 1,000 mails. */
export function createMails(journal: Journal): MailState {
  const table: Table<Mail> = journal.table('mails');
  // Rows keep the order in which they were added; the key only has to be new.
  let next = Math.max(0, ...table.entries().map(([key]) => Number(key))) + 1;
  return {
    list: to => {
      const wanted = to?.toLowerCase();
      const isFor = (mail: Mail): boolean =>
        wanted === undefined || mail.to.some(address => address.toLowerCase() === wanted);
      return table.values().filter(isFor).reverse();
    },
    add: mail => {
      table.put(String(next), mail);
      next += 1;
      table.trim(mailsMax);
    },
  };
}
