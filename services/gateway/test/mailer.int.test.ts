import { createServer } from 'node:net';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { createMailer } from '../src/identity/mail/mailer.ts';

/** A server that checks a mail for so long before it takes it. */
const slowServer = perSuite(async () => {
  const took: string[] = [];
  const server = createServer(socket => {
    let isText = false;
    socket.on('error', () => undefined).write('220 slow\r\n');
    socket.on('data', data => {
      if (!isText) {
        isText = /^DATA\r\n$/.test(String(data));
        return socket.write(isText ? '354 go on\r\n' : '250 ok\r\n');
      }
      if (!String(data).endsWith('\r\n.\r\n')) return;
      isText = false;
      took.push(String(data));
      setTimeout(() => socket.write('250 taken\r\n'), 11_000);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { took, port, close: () => new Promise(resolve => server.close(resolve)) };
});

it('a mail that the server checks for 11 s is sent, and so not sent again', async () => {
  const mailer = createMailer(`smtp://127.0.0.1:${slowServer.port}`, 'hookline@example.com');
  await mailer.send({ to: 'ann@example.com', subject: 'Reset', text: 'A link' });
  mailer.close();
  expect(slowServer.took).toHaveLength(1);
}, 20_000);

it('a server that answers byte by byte holds the other mails for a while only', async () => {
  let isCut = false;
  const server = createServer(socket => {
    socket.write('220 slow\r\n');
    const dripping = setInterval(() => socket.write('2'), 50);
    socket
      .on('error', () => undefined)
      .once('close', () => {
        clearInterval(dripping);
        isCut = true;
      });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const mailer = createMailer(`smtp://127.0.0.1:${port}`, 'hookline@example.com', 500);
  const sent = mailer.send({ to: 'ann@example.com', subject: 'Reset', text: 'A link' });
  await expect(sent).rejects.toThrow('Message sending aborted');
  // nodemailer gives the server 5 s to close its side.
  await eventually(() => expect(isCut).toBe(true), 15_000);
  mailer.close();
  server.close();
}, 30_000);
