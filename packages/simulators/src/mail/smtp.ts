import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { World } from '../world.ts';

const mailBytesMax = 1_048_576;

export type SmtpServer = { port: number; close(): Promise<void> };

/** A real SMTP server that takes every mail, keeps it and sends nothing on. Without TLS and sign-in. */
export async function startSmtp(world: World, port: number): Promise<SmtpServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: mailBytesMax,
    banner: 'Hookline simulators',
    onData(stream, session, done) {
      keep(world, stream, session).then(() => done(), done);
    },
  });
  // A client that hangs up is not a fault of ours.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, world.settings.host, resolve);
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

async function keep(
  world: World,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) {
    throw Object.assign(new Error('The mail is larger than 1 MB.'), { responseCode: 552 });
  }
  // Loaded with the first mail.
  const { default: PostalMime } = await import('postal-mime');
  const mail = await PostalMime.parse(Buffer.concat(chunks));
  world.mails.add({
    from: mail.from?.address ?? (envelope.mailFrom ? envelope.mailFrom.address : ''),
    to: envelope.rcptTo.map(({ address }) => address),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    at: world.now(),
  });
}
