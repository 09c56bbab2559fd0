import { perSuite } from '@hookline/testing/per-suite';
import { controlHeaders } from '@hookline/testing/simulator-controls';
import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';
import { control, send, startSim } from './helpers.ts';

const sim = perSuite(startSim);

const mail = (to: string, subject: string, text: string) =>
  createTransport({ url: `smtp://127.0.0.1:${sim.smtpPort}` }).sendMail({
    ...{ from: 'Hookline <hookline@example.com>', to, subject, text },
  });

it('keeps what a real client sends, newest first and by address, and shows it on a page', async () => {
  const link = `http://localhost:8080/console/invitation?token=link_${'x'.repeat(43)}`;
  await mail('ann@example.com', 'Grüße', `Zeile eins\n${link}\n`);
  await mail('ben@example.com, ann@example.com', 'Two', '<script>alert(1)</script>');
  const all = await control(sim, 'GET', 'mails');
  expect(all.body).toEqual([
    {
      from: 'hookline@example.com',
      to: ['ben@example.com', 'ann@example.com'],
      subject: 'Two',
      text: expect.stringContaining('<script>'),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    expect.objectContaining({ subject: 'Grüße', text: expect.stringContaining(link) }),
  ]);
  const bens = await control(sim, 'GET', 'mails?to=BEN@example.com');
  expect(bens.body.map(({ subject }: { subject: string }) => subject)).toEqual(['Two']);
  const page = await send('GET', `${sim.url}/mail?to=ann@example.com`, undefined, controlHeaders);
  expect(page.text).toContain(`<a href="${link}">`);
  expect(page.text).toContain('&lt;script&gt;');
  expect(page.text).not.toContain('<script>alert');
});

it('refuses a mail of more than 1 MB', async () => {
  await expect(mail('ann@example.com', 'Large', 'x'.repeat(1_200_000))).rejects.toThrow();
});
