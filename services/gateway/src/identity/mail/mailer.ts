import type { Transporter } from 'nodemailer';

export type Mailer = {
  /** Resolves once the server has taken the mail. */
  send(mail: { to: string; subject: string; text: string }): Promise<void>;
  close(): void;
};

const timeoutMs = 10_000;
/** A server may check a mail before it answers: one that is given up then is delivered all the same, and sent again. */
const answerTimeoutMs = 45_000;

/**
 * For all of a mail's answers together: below the two minutes after which another gateway sends
 * the mail again (`mailLeaseMs`), and this one counts as stuck.
 */
const wholeTimeoutMs = 90_000;

/** @param url `smtp:` or `smtps:`, with user and password */
export function createMailer(url: string, from: string, mailTimeoutMs = wholeTimeoutMs): Mailer {
  let transport: Transporter | undefined;

  // Loaded with the first mail: many gateways never send one.
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      pool: true,
      maxConnections: 1,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: answerTimeoutMs,
      // Content comes from texts alone: a mail never reads a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return {
    async send(mail) {
      transport ??= await open();
      await transport.sendMail({ from, ...mail, signal: AbortSignal.timeout(mailTimeoutMs) });
    },
    close: () => transport?.close(),
  };
}
