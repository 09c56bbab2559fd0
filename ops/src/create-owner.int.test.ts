import { perSuite } from '@hookline/testing/per-suite';
import { expect, it } from 'vitest';
import { startTestGateway } from '../../services/gateway/test/world.ts';
import { runOps } from './commands.ts';

const gateway = perSuite(() => startTestGateway({}, { env: { SIGN_UP: 'invite' } }));

it('makes the first owner where nobody can sign up, once', async () => {
  const email = 'first@example.com';
  const create = async () => {
    const lines: string[] = [];
    const env = { DATABASE_URL: gateway.database.url, PUBLIC_URL: 'https://hookline.example.com' };
    const isDone = await runOps(['create-owner', '--email', email], env, line => lines.push(line));
    return { isDone, text: lines.join('\n') };
  };
  const first = await create();
  expect(first.isDone).toBe(true);
  const [, token] =
    /https:\/\/hookline\.example\.com\/console\/reset-password\?token=(link_[\w-]{43})/.exec(first.text) ??
    [];
  const body = { token, password: 'correct horse battery' };
  expect((await gateway.call('POST', '/api/v1/auth/password-reset/confirm', { body })).status).toBe(200);
  const signedIn = await gateway.call('POST', '/api/v1/auth/sign-in', {
    body: { email, password: body.password },
  });
  expect(signedIn.status).toBe(200);
  const session = signedIn.body.data.session.token;
  const audit = (await gateway.call('GET', '/api/v1/audit', { token: session })).body.data;
  expect(audit[0]).toMatchObject({
    action: 'operator.command',
    actor: { kind: 'operator' },
    detail: { email },
  });
  expect(await create()).toEqual({ isDone: false, text: expect.stringContaining('nothing was made') });
});
