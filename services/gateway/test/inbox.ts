import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

type Mail = { to: string; subject: string; text: string };

/** A mail server that keeps what it is sent, a mail for each recipient, unless it is told to refuse. */
export function createInbox() {
  const mails: Mail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    closeTimeout: 1,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, { envelope }, done) {
      const raw = await readText(stream);
      if (inbox.isRefusing) return done(new Error('not now'));
      // Undoes quoted-printable's soft line breaks and its `=3D`.
      const text = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
      const subject = /^Subject: (.*)/m.exec(raw)?.[1] ?? '';
      for (const { address } of envelope.rcptTo) mails.push({ to: address, subject, text });
      done();
    },
  });
  const inbox = {
    mails,
    isRefusing: false,
    /** @returns its SMTP_URL. */
    async listen(): Promise<string> {
      await new Promise<void>(resolve => smtp.listen(0, '127.0.0.1', resolve));
      return `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`;
    },
    close: () => new Promise<void>(resolve => smtp.close(() => resolve())),
  };
  return inbox;
}
