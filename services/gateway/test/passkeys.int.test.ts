import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runOps } from '../../../ops/src/commands.ts';
import { createInbox } from './inbox.ts';
import { randomIp, startTestGateway } from './world.ts';

let clock: Date | null = null;
const publicUrl = 'http://localhost:8080';
const inbox = createInbox();
const gateway = perSuite(async () => {
  const mail = { SMTP_URL: await inbox.listen(), MAIL_FROM: 'hookline@example.com' };
  return startTestGateway({}, { env: { PUBLIC_URL: publicUrl, ...mail }, now: () => clock ?? new Date() });
});
afterAll(() => inbox.close());
afterEach(() => {
  clock = null;
});

async function query(sql: string, values: readonly unknown[]): Promise<unknown[]> {
  return (await gateway.admin.query(sql, [...values])).rows;
}

type Person = Awaited<ReturnType<typeof gateway.signUp>>;
const own = { 'sec-fetch-site': 'same-origin' };

/** As a browser asks; `session` is a token, which goes into the cookie. */
const ask = (method: string, path: string, body?: unknown, session?: string, ip = randomIp()) =>
  gateway.call(method, `/console/api/v1${path}`, {
    headers: { ...own, ...(session === undefined ? {} : { cookie: `hookline_session=${session}` }) },
    ip,
    ...(body === undefined ? {} : { body }),
  });

/** An authenticator with one credential, as a browser speaks for it. */
function createAuthenticator({ origin = publicUrl, isVerified = true, counts = true, idBytes = 32 } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(idBytes);
  let count = 0;
  const data = (attested: Buffer = Buffer.alloc(0)) => {
    count += counts ? 1 : 0;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0));
    rest.writeUInt32BE(count, 1);
    return Buffer.concat([createHash('sha256').update('localhost').digest(), rest, attested]);
  };
  const said = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
  const text = (bytes: Buffer) => bytes.toString('base64url');
  return {
    id,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }),
    create(challenge: string) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      return {
        clientData: text(said('create', challenge)),
        authenticatorData: text(data(Buffer.concat([Buffer.alloc(16), length, id]))),
        publicKey: text(this.publicKey),
      };
    },
    get(challenge: string) {
      const [clientData, authenticatorData] = [said('get', challenge), data()];
      const digest = createHash('sha256').update(clientData).digest();
      return {
        credentialId: text(id),
        clientData: text(clientData),
        authenticatorData: text(authenticatorData),
        signature: text(sign('sha256', Buffer.concat([authenticatorData, digest]), privateKey)),
      };
    },
    rewind() {
      count -= 2;
    },
  };
}
type Authenticator = ReturnType<typeof createAuthenticator>;

async function begin({ token, password }: Person): Promise<string> {
  const begun = await ask('POST', '/auth/passkeys/challenge', { password }, token);
  expect(begun.status).toBe(200);
  return begun.body.data.challenge;
}

async function add(person: Person, authenticator: Authenticator, name = 'Chrome on Linux') {
  const body = { name, ...authenticator.create(await begin(person)) };
  return await ask('POST', '/auth/passkeys', body, person.token);
}

async function protectedPerson(authenticator = createAuthenticator()) {
  const person = await gateway.signUp();
  const added = await add(person, authenticator);
  expect(added.status).toBe(201);
  const { passkey, recoveryCodes } = added.body.data;
  return { ...person, authenticator, passkeyId: passkey.id, codes: recoveryCodes as string[] };
}

const challenge = async () => (await ask('POST', '/auth/sign-in/challenge')).body.data.challenge as string;
const answer = (body: object, ip?: string) => ask('POST', '/auth/sign-in/passkey', body, undefined, ip);
const account = ({ email, password }: Person) => ({ email, password });
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];
const required = [401, 'second_factor_required'];

const told = ({ email }: Person, words: string) =>
  eventually(() => {
    const found = inbox.mails.find(({ to, text }) => to === email && text.includes(words));
    expect(found?.text).toContain('/console/settings#passkeys');
  }, 8_000);

describe('an account with a passkey', () => {
  it('is opened at neither door by the password alone, and says so to nobody without it', async () => {
    const person = await protectedPerson();
    for (const root of ['/api/v1', '/console/api/v1']) {
      const signIn = (body: object) => gateway.call('POST', `${root}/auth/sign-in`, { body, headers: own });
      const refused = await signIn(account(person));
      expect(codeOf(refused)).toEqual(required);
      expect(refused.headers.get('set-cookie')).toBeNull();
      expect(refused.body.error.message).toMatch(/passkey.+recovery codes/);
      expect(codeOf(await signIn({ ...account(person), password: 'wrong password' }))).toEqual([
        401,
        'unauthorized',
      ]);
    }
    const { body } = await gateway.call('GET', '/api/v1/audit?action=auth.second_factor_asked', {
      token: person.token,
    });
    const asked = { actor: { kind: 'anonymous' }, detail: { method: 'password' } };
    expect(body.data).toMatchObject([asked, asked]);
  });

  it('is opened by the password and the passkey, or by a passkey that knew its owner', async () => {
    const person = await protectedPerson();
    const both = await answer({ account: account(person), ...person.authenticator.get(await challenge()) });
    expect([both.status, both.body.data.user.email]).toEqual([200, person.email]);
    expect(both.headers.get('set-cookie')).toMatch(/^hookline_session=sess_.+HttpOnly; SameSite=Strict/);
    const alone = await answer(person.authenticator.get(await challenge()));
    expect(alone.status).toBe(200);

    const plain = await protectedPerson(createAuthenticator({ isVerified: false, counts: false }));
    expect(codeOf(await answer(plain.authenticator.get(await challenge())))).toEqual([401, 'unauthorized']);
    const withPassword = { account: account(plain), ...plain.authenticator.get(await challenge()) };
    expect((await answer(withPassword)).status).toBe(200);
  });

  it('refuses a repeated, expired, foreign or altered answer, and counts each as a failure', async () => {
    const person = await protectedPerson();
    const { authenticator } = person;
    const once = authenticator.get(await challenge());
    expect((await answer(once)).status).toBe(200);
    expect((await answer(once)).status).toBe(401);

    const late = authenticator.get(await challenge());
    clock = new Date(Date.now() + 5 * 60_000 + 1);
    expect((await answer(late)).status).toBe(401);
    clock = null;
    expect((await answer(authenticator.get(await begin(person)))).status).toBe(401);
    expect((await answer(authenticator.get('AAAA'))).status).toBe(401);
    const forged = { ...authenticator.get(await challenge()), signature: once.signature };
    expect((await answer(forged)).status).toBe(401);

    const other = await protectedPerson();
    const foreign = { account: account(person), ...other.authenticator.get(await challenge()) };
    const refused = await answer(foreign);
    expect(codeOf(refused)).toEqual(required);
    expect(refused.body.error.message).toMatch(/^The passkey was refused: it is not one of this account/);

    const ip = randomIp();
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await answer(foreign, ip)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const { body } = await gateway.call('GET', '/api/v1/audit?order=newest', { token: person.token });
    expect(body.data[0]).toMatchObject({
      action: 'auth.sign_in_failed',
      detail: { reason: 'second_factor' },
    });
  });

  it('refuses an authenticator whose count went back, and an answer that was given at another origin', async () => {
    const person = await protectedPerson();
    expect((await answer(person.authenticator.get(await challenge()))).status).toBe(200);
    person.authenticator.rewind();
    expect((await answer(person.authenticator.get(await challenge()))).status).toBe(401);

    const elsewhere = createAuthenticator({ origin: 'https://hookline.example' });
    expect((await add(person, elsewhere)).body.error).toMatchObject({ param: 'clientData' });
  });

  it('is opened by each recovery code once, also at the API; new codes end the old ones', async () => {
    const person = await protectedPerson();
    const [code = '', second = ''] = person.codes;
    expect(person.codes).toHaveLength(8);
    const signIn = (recoveryCode: string) =>
      gateway.call('POST', '/api/v1/auth/sign-in', { body: { ...account(person), recoveryCode } });
    expect((await signIn(code.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    const again = await signIn(code);
    expect(codeOf(again)).toEqual(required);
    expect(again.body.error.message).toMatch(/^The recovery code was refused: .+ was used before\.$/);
    const listed = await ask('GET', '/auth/passkeys', undefined, person.token);
    expect(listed.body.data).toMatchObject({ offered: true, recoveryCodes: 7 });
    const renew = (password: string) => ask('POST', '/auth/recovery-codes', { password }, person.token);
    expect((await renew('wrong password')).body.error).toMatchObject({ param: 'password' });
    const renewed = await renew(person.password);
    expect(codeOf(await signIn(second))).toEqual(required);
    expect((await signIn(renewed.body.data.recoveryCodes[0])).status).toBe(200);
  });

  const reset = async ({ email }: Person) => {
    const token = `link_${randomBytes(32).toString('base64url')}`;
    await query(
      `insert into gateway.one_time_links (token_hash, kind, subject_id, mailed, expires_at, created_at)
       select $1, 'password_reset', id, true, now() + interval '1 hour', now() from gateway.users where email = $2`,
      [createHash('sha256').update(token).digest(), email],
    );
    const password = 'another correct horse';
    const confirm = { body: { token, password } };
    expect((await gateway.call('POST', '/api/v1/auth/password-reset/confirm', confirm)).status).toBe(200);
    return password;
  };

  it('loses it to whoever proves an address that was not proven before', async () => {
    const person = await protectedPerson();
    const body = { email: person.email, password: await reset(person) };
    expect((await gateway.call('POST', '/api/v1/auth/sign-in', { body })).status).toBe(200);
    const answered = await answer(person.authenticator.get(await challenge()));
    expect(codeOf(answered)).toEqual([401, 'unauthorized']);
  });

  it('keeps its second factor through a new password and an invitation', async () => {
    const person = await protectedPerson();
    const lines: string[] = [];
    await query('update gateway.users set email_verified_at = now() where email = $1', [person.email]);
    const password = await reset(person);
    const body = { email: person.email, password };
    expect(codeOf(await gateway.call('POST', '/api/v1/auth/sign-in', { body }))).toEqual(required);

    const owner = await gateway.signUp();
    const invited = await gateway.call('POST', '/api/v1/workspace/invitations', {
      token: owner.token,
      body: { email: person.email, role: 'viewer' },
    });
    const link = new URL(invited.body.data.url).searchParams.get('token');
    const accept = { body: { token: link, password } };
    expect(codeOf(await gateway.call('POST', '/api/v1/auth/invitations/accept', accept))).toEqual(required);

    const env = { DATABASE_URL: gateway.database.url };
    expect(await runOps(['remove-passkeys', person.email], env, line => lines.push(line))).toBe(true);
    expect(lines).toEqual([`1 passkeys of ${person.email} were removed.`]);
    const opened = await gateway.call('POST', '/api/v1/auth/sign-in', { body });
    expect(opened.status).toBe(200);
    const audit = { token: opened.body.data.session.token };
    const asked = (await gateway.call('GET', '/api/v1/audit?action=auth.second_factor_asked', audit)).body;
    expect(asked.data).toHaveLength(2);
    const { data } = (await gateway.call('GET', '/api/v1/audit?action=operator', audit)).body;
    expect(data).toMatchObject([{ detail: { command: 'remove-passkeys', removed: 1 } }]);
    await told(person, 'An operator removed your passkeys');
  });
});

describe('passkeys', () => {
  it('end the sessions that a password alone had opened, and cannot be added after it was replaced', async () => {
    const person = await gateway.signUp();
    const other = await gateway.call('POST', '/api/v1/auth/sign-in', { body: account(person) });
    const kept = await begin(person);
    const replaced = { current: person.password, password: 'another correct horse' };
    const changed = await ask('POST', '/auth/password', replaced, person.token);
    expect(changed.status).toBe(200);
    const late = { name: 'x', ...createAuthenticator().create(kept) };
    expect((await ask('POST', '/auth/passkeys', late, person.token)).body.error.param).toBe('clientData');
    const { password } = replaced;
    const second = await gateway.call('POST', '/api/v1/auth/sign-in', {
      body: { email: person.email, password },
    });
    expect((await add({ ...person, password }, createAuthenticator())).status).toBe(201);
    for (const { body } of [other, second]) {
      const { token } = body.data.session;
      expect((await gateway.call('GET', '/api/v1/auth/sessions', { token })).status).toBe(401);
    }
  });

  it('change at most 20 times an hour, since each change sends a mail', async () => {
    const person = await protectedPerson();
    const renew = () => ask('POST', '/auth/recovery-codes', { password: person.password }, person.token);
    const statuses = [];
    for (let times = 0; times < 20; times += 1) statuses.push((await renew()).status);
    expect([statuses.slice(0, 19).every(status => status === 200), statuses[19]]).toEqual([true, 429]);
  });

  it('are added and removed with the password, by their person alone, and are in the audit log', async () => {
    const person = await protectedPerson();
    const path = `/auth/passkeys/${person.passkeyId}`;
    const begun = await ask('POST', '/auth/passkeys/challenge', { password: 'wrong password' }, person.token);
    expect(begun.body.error).toMatchObject({ code: 'invalid_request', param: 'password' });
    const other = await gateway.signUp();
    const stolen = { name: 'x', ...createAuthenticator().create(await begin(person)) };
    expect((await ask('POST', '/auth/passkeys', stolen, other.token)).body.error.param).toBe('clientData');
    // One that is there, and one whose id is longer than WebAuthn's and than an entry of an index.
    for (const unfit of [person.authenticator, createAuthenticator({ idBytes: 2_900 })])
      expect((await add(person, unfit)).body.error.param).toBe('authenticatorData');
    const challenged = await begin(person);
    for (const respelled of [`${challenged}=`, `${challenged} `]) {
      const again = { name: 'x', ...createAuthenticator().create(respelled) };
      expect((await ask('POST', '/auth/passkeys', again, person.token)).body.error.param).toBe('clientData');
    }
    const second = await add(person, createAuthenticator(), 'A key');
    expect(second.body.data.recoveryCodes).toEqual([]);
    expect((await ask('GET', '/auth/passkeys', undefined, person.token)).body.data.passkeys).toMatchObject([
      { name: 'A key', lastUsedAt: null },
      { id: person.passkeyId, name: 'Chrome on Linux' },
    ]);

    expect((await ask('DELETE', path, {}, person.token)).body.error.param).toBe('password');
    expect((await ask('DELETE', path, { password: other.password }, other.token)).status).toBe(404);
    for (const id of [person.passkeyId, second.body.data.passkey.id]) {
      const removed = await ask(
        'DELETE',
        `/auth/passkeys/${id}`,
        { password: person.password },
        person.token,
      );
      expect(removed.status).toBe(200);
    }
    const signedIn = await gateway.call('POST', '/api/v1/auth/sign-in', { body: account(person) });
    expect(signedIn.status).toBe(200);
    const { data } = (await gateway.call('GET', '/api/v1/audit', { token: person.token })).body;
    const told = data.filter(({ action }: { action: string }) => action.startsWith('auth.passkey'));
    expect(told.map((row: { action: string; detail: object }) => [row.action, row.detail])).toMatchObject([
      ['auth.passkey_added', { passkeyId: person.passkeyId, name: 'Chrome on Linux' }],
      ['auth.passkey_added', { name: 'A key' }],
      ['auth.passkey_removed', { passkeyId: person.passkeyId }],
      ['auth.passkey_removed', { name: 'A key' }],
    ]);
    // The log is what an export says of passkeys.
    expect(JSON.stringify(data)).not.toContain(person.authenticator.publicKey.toString('base64url'));
  });

  it('each addition, removal and use of a recovery code sends a mail', async () => {
    const person = await protectedPerson();
    await told(person, 'A passkey was added.');
    const body = { ...account(person), recoveryCode: person.codes[0] };
    expect((await gateway.call('POST', '/api/v1/auth/sign-in', { body })).status).toBe(200);
    await told(person, 'with the password and a recovery code');
    await ask('DELETE', `/auth/passkeys/${person.passkeyId}`, { password: person.password }, person.token);
    await told(person, 'A passkey was removed.');
  });

  it('are not offered to a person without a password, whose second factor is at the issuer', async () => {
    const person = await gateway.signUp();
    await query('update gateway.users set password_hash = null where email = $1', [person.email]);
    const listed = await ask('GET', '/auth/passkeys', undefined, person.token);
    expect(listed.body.data).toEqual({ offered: false, passkeys: [], recoveryCodes: 0 });
    const begun = await ask('POST', '/auth/passkeys/challenge', { password: 'x' }, person.token);
    expect(begun.body.error.message).toContain('OIDC issuer');
  });

  it('are no routes of the API, and go with their person', async () => {
    const person = await protectedPerson();
    expect((await gateway.call('GET', '/api/v1/auth/passkeys', { token: person.token })).status).toBe(404);
    const rows = () =>
      query(
        `select 1 from gateway.passkeys where id = $1
         union all select 1 from gateway.recovery_codes join gateway.users on users.id = user_id where email = $2`,
        [person.passkeyId, person.email],
      );
    expect(await rows()).toHaveLength(9);
    await query('delete from gateway.users where email = $1', [person.email]);
    expect(await rows()).toHaveLength(0);
  });
});
