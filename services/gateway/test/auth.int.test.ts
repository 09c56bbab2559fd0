import { randomInt } from 'node:crypto';
import { dayMs } from '@hookline/shared/kernel/durations';
import { eventually } from '@hookline/testing/eventually';
import { perSuite } from '@hookline/testing/per-suite';
import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { randomIp, startTestGateway } from './world.ts';

const gateway = perSuite(() => startTestGateway({}, { now: () => clock ?? new Date() }));
let clock: Date | null = null;

const password = 'correct horse battery';

describe('POST /v1/auth/sign-up', () => {
  it('201 with user and session; the token opens session routes', async () => {
    const answer = await gateway.call('POST', '/api/v1/auth/sign-up', {
      body: { email: 'Ann@example.com', password, name: 'Ann' },
    });
    expect(answer.status).toBe(201);
    const { user, session } = answer.body.data;
    expect(Object.keys(user).sort()).toEqual(['createdAt', 'email', 'id', 'name', 'updatedAt']);
    expect(user.id).toMatch(/^user_/);
    expect(session.token).toMatch(/^sess_[\w-]{43}$/);
    const days = (Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / dayMs;
    expect(days).toBe(30);
    const who = await gateway.call('GET', '/api/v1/auth/session', { token: session.token });
    expect(who.body.data).toEqual({
      user,
      session: { ...session, token: undefined },
      workspaceId: expect.stringMatching(/^workspace_[0-9a-z]{26}$/),
    });
  });

  it.each(['Ann.Weak@example.com', '1234567890'])('400 naming the password %s', async weak => {
    const body = { email: 'ann.weak@example.com', password: weak };
    const { status, body: answer } = await gateway.call('POST', '/api/v1/auth/sign-up', { body });
    expect([status, answer.error.message]).toEqual([400, expect.stringMatching(/^password must not be/)]);
  });

  it('400 invalid_request when the address is taken, in whatever case', async () => {
    await gateway.call('POST', '/api/v1/auth/sign-up', { body: { email: 'twice@example.com', password } });
    const again = await gateway.call('POST', '/api/v1/auth/sign-up', {
      body: { email: 'TWICE@example.com', password },
    });
    expect([again.status, again.body.error.code]).toEqual([400, 'invalid_request']);
    expect(again.body.error.message).toContain('email');
  });

  it.each([
    ['a short password', { email: 'a@example.com', password: 'short' }, 'password'],
    ['no e-mail address', { email: 'nobody', password }, 'email'],
  ])('400 invalid_request naming the field for %s', async (_name, body, field) => {
    const answer = await gateway.call('POST', '/api/v1/auth/sign-up', { body });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(field);
  });
});

describe('POST /v1/auth/sign-in', () => {
  it('takes as long for an unknown address as for a wrong password, whose audit row is slow', async () => {
    const { email } = await gateway.signUp();
    await gateway.admin.query(`create function gateway.wait_a_while() returns trigger language plpgsql as
      $$ begin perform pg_sleep(3); return new; end $$`);
    await gateway.admin.query(`create trigger slow before insert on gateway.audit_events
      for each row when (new.action = 'auth.sign_in_failed') execute function gateway.wait_a_while()`);
    const timeOf = async (tried: string) => {
      const beganMs = performance.now();
      const body = { email: tried, password: 'wrong horse battery' };
      expect((await gateway.call('POST', '/api/v1/auth/sign-in', { body })).status).toBe(401);
      return performance.now() - beganMs;
    };
    try {
      expect(await timeOf(email)).toBeLessThan(2_500);
      expect(await timeOf('nobody.at.all@example.com')).toBeLessThan(2_500);
      await eventually(async () => {
        const { rows } = await gateway.admin.query(
          `select from gateway.audit_events join gateway.users on users.id = subject_id
           where action = 'auth.sign_in_failed' and email = $1`,
          [email],
        );
        expect(rows).toHaveLength(1);
      }, 10_000);
    } finally {
      await gateway.admin.query('drop function gateway.wait_a_while() cascade');
    }
  });

  it('answers alike for an unknown address and a wrong password', async () => {
    const { email } = await gateway.signUp();
    const tell = async (address: string) => {
      const body = { email: address, password: 'wrong password' };
      const { status, body: answer } = await gateway.call('POST', '/api/v1/auth/sign-in', { body });
      return { status, code: answer.error.code, message: answer.error.message };
    };
    const wrong = await tell(email);
    expect(wrong).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await tell('stranger@example.com')).toEqual(wrong);
  });

  const wrong = 'wrong password';
  const signIn = (email: string, given: string, ip?: string) =>
    gateway.call('POST', '/api/v1/auth/sign-in', {
      body: { email, password: given },
      ...(ip === undefined ? {} : { ip }),
    });

  /** As if it had happened so many times: each real one costs a hash. */
  async function repeatNewestFailure(times: number): Promise<void> {
    await gateway.admin.query(
      `insert into gateway.sign_in_failures (email_hash, pair_hash, failed_at)
       select email_hash, pair_hash, failed_at
       from (select * from gateway.sign_in_failures order by id desc limit 1) newest, generate_series(2, $1)`,
      [times],
    );
  }

  it('429 rate_limited to an address after 10 failures, also for 30 at once, and open again after 15 minutes', async () => {
    const { email } = await gateway.signUp();
    const ip = randomIp();
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(email, wrong, ip)));
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(10);
    expect(answers.filter(answer => answer.status === 429)).toHaveLength(20);
    const right = await signIn(email, password, ip);
    expect([right.status, right.body.error.code]).toEqual([429, 'rate_limited']);
    const seconds = Number(right.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(800);
    try {
      clock = new Date(Date.now() + seconds * 1000);
      expect((await signIn(email, password, ip)).status).toBe(200);
    } finally {
      clock = null;
    }
  });

  it("strangers' failures lock nobody out; they slow unknown addresses down to one try in 10 s", async () => {
    const [home, elsewhere] = [randomIp(), randomIp()];
    const email = `owner.${randomInt(1e9)}@example.com`;
    await gateway.call('POST', '/api/v1/auth/sign-up', { body: { email, password }, ip: home });
    await signIn(email, wrong, randomIp());
    await repeatNewestFailure(110);
    expect((await signIn(email, password, home)).status).toBe(200);
    expect((await signIn(email, wrong, elsewhere)).status).toBe(401);
    const slowed = await signIn(email, password, elsewhere);
    expect([slowed.status, slowed.body.error.code]).toEqual([429, 'rate_limited']);
    const seconds = Number(slowed.headers.get('retry-after'));
    expect(seconds).toBeLessThanOrEqual(10);
    try {
      clock = new Date(Date.now() + seconds * 1_000);
      expect((await signIn(email, password, elsewhere)).status).toBe(200);
      // It is known now.
      expect((await signIn(email, wrong, elsewhere)).status).toBe(401);
      expect((await signIn(email, password, elsewhere)).status).toBe(200);
    } finally {
      clock = null;
    }
  });

  it('429 to an address that tried one password on 30 others; people who signed in there still do', async () => {
    const ip = randomIp();
    const known = await gateway.signUp();
    expect((await signIn(known.email, password, ip)).status).toBe(200);
    const spray = (nth: number) => signIn(`nobody${nth}.${randomInt(1e9)}@example.com`, wrong, ip);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => spray(nth)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(401));
    expect((await spray(30)).status).toBe(429);
    expect((await signIn(known.email, password, ip)).status).toBe(200);
    const { email } = await gateway.signUp();
    expect((await signIn(email, password, ip)).status).toBe(429);
    expect((await signIn(email, password, randomIp())).status).toBe(200);
  });

  it('the right password passes at an address that is known, whatever failed there', async () => {
    const home = randomIp();
    const email = `shared.${randomInt(1e9)}@example.com`;
    await gateway.call('POST', '/api/v1/auth/sign-up', { body: { email, password }, ip: home });
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, wrong, home)));
    expect(answers.filter(answer => answer.status === 429)).toHaveLength(2);
    expect((await signIn(email, password, home)).status).toBe(200);
    expect((await signIn(email, wrong, home)).status).toBe(429);
  });

  it('an address that is known is unknown after 100 failures', async () => {
    const home = randomIp();
    const email = `guessed.${randomInt(1e9)}@example.com`;
    await gateway.call('POST', '/api/v1/auth/sign-up', { body: { email, password }, ip: home });
    await signIn(email, wrong, home);
    await repeatNewestFailure(99);
    expect((await signIn(email, password, home)).status).toBe(200);
    await signIn(email, wrong, home);
    expect((await signIn(email, password, home)).status).toBe(429);
  });

  it('replaces a hash of other parameters when its password is given', async () => {
    const { email } = await gateway.signUp();
    const stored = async () =>
      (await gateway.admin.query('select password_hash as hash from gateway.users where email = $1', [email]))
        .rows[0].hash as string;
    const current = await stored();
    expect(current).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn(email, password)).status).toBe(200);
    expect(await stored()).toBe(current);
    const weak = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await gateway.admin.query('update gateway.users set password_hash = $2 where email = $1', [email, weak]);
    expect((await signIn(email, wrong)).status).toBe(401);
    expect(await stored()).toBe(weak);
    expect((await signIn(email, password)).status).toBe(200);
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn(email, password)).status).toBe(200);
  });
});

describe('POST /v1/auth/sign-out', () => {
  it('200 with the deleted record; the token opens nothing afterwards', async () => {
    const { token } = await gateway.signUp();
    const answer = await gateway.call('POST', '/api/v1/auth/sign-out', { token });
    expect(answer.body).toEqual({ data: { id: expect.stringMatching(/^session_/), deleted: true } });
    expect((await gateway.call('GET', '/api/v1/auth/session', { token })).status).toBe(401);
  });

  it('a session ends automatically after 30 days', async () => {
    const { token } = await gateway.signUp();
    try {
      clock = new Date(Date.now() + 30 * dayMs + 1_000);
      expect((await gateway.call('GET', '/api/v1/auth/session', { token })).status).toBe(401);
    } finally {
      clock = null;
    }
  });
});

describe('keys', () => {
  it('POST shows the plaintext once; GET lists prefixes, newest first, of this account only', async () => {
    const { token, email } = await gateway.signUp();
    const stranger = await gateway.signUp();
    const first = await gateway.mint(token, ['apps:read']);
    const second = await gateway.mint(token, ['apps:read', 'apps:write']);
    expect(second.key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
    const list = await gateway.call('GET', '/api/v1/keys', { token });
    expect(list.body.data.map((key: { id: string }) => key.id)).toEqual([second.id, first.id]);
    expect(list.body.data[0]).toEqual({
      id: second.id,
      name: 'test',
      prefix: second.key.slice(0, 17),
      scopes: ['apps:read', 'apps:write'],
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdBy: { userId: expect.stringMatching(/^user_/), name: email },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(list.text).not.toContain(second.key);
    expect((await gateway.call('GET', '/api/v1/keys', { token: stranger.token })).body.data).toEqual([]);
  });

  it('an account has at most 50 live ones, also when many are minted at once; a revoked one makes room', async () => {
    const { token } = await gateway.signUp();
    const mint = (expiresAt?: string) =>
      gateway.call('POST', '/api/v1/keys', {
        token,
        body: { name: 'many', scopes: ['apps:read'], ...(expiresAt ? { expiresAt } : {}) },
      });
    const start = Date.now();
    expect((await mint(new Date(start + 60_000).toISOString())).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 54 }, () => mint()));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 400);
    expect([made.length, refused.length]).toEqual([49, 5]);
    expect(refused[0]?.body.error.code).toBe('invalid_request');
    expect(refused[0]?.body.error.message).toContain('at most 50 live keys');
    expect((await gateway.mint((await gateway.signUp()).token)).key).toMatch(/^svc_live_/);
    await gateway.call('DELETE', `/api/v1/keys/${made[0]?.body.data.id}`, { token });
    expect((await mint()).status).toBe(201);
    expect((await mint()).status).toBe(400);
    try {
      // The first one has expired.
      clock = new Date(start + 61_000);
      expect((await mint()).status).toBe(201);
    } finally {
      clock = null;
    }
  });

  it.each([
    ['an unknown scope', { name: 'x', scopes: ['apps:all'] }, 'scopes[0]'],
    [
      'a past expiresAt',
      { name: 'x', scopes: ['apps:read'], expiresAt: '2020-01-01T00:00:00Z' },
      'expiresAt',
    ],
  ])('400 invalid_request naming the field for %s', async (_name, body, field) => {
    const { token } = await gateway.signUp();
    const answer = await gateway.call('POST', '/api/v1/keys', { token, body });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(field);
  });

  it('DELETE again keeps the first revokedAt', async () => {
    const { token } = await gateway.signUp();
    const { id } = await gateway.mint(token);
    const first = await gateway.call('DELETE', `/api/v1/keys/${id}`, { token });
    const second = await gateway.call('DELETE', `/api/v1/keys/${id}`, { token });
    expect(second.body).toEqual(first.body);
  });

  it('lastUsedAt is written soon after a use', async () => {
    const { token } = await gateway.signUp();
    const { key } = await gateway.mint(token, ['apps:read']);
    await gateway.call('GET', '/api/v1/apps', { token: key });
    await eventually(async () => {
      const { body } = await gateway.call('GET', '/api/v1/keys', { token });
      expect(body.data[0].lastUsedAt).toEqual(expect.any(String));
    }, 8_000);
  });

  it('no key, token or password is in the database', async () => {
    const { token } = await gateway.signUp();
    const { key } = await gateway.mint(token);
    for (const table of ['users', 'sessions', 'api_keys', 'sign_in_failures']) {
      const { rows } = await gateway.admin.query(`select t::text as text from gateway.${table} t`);
      const text = rows.map(row => row.text).join('\n');
      for (const secret of [key, token, password]) expect(text).not.toContain(secret);
    }
  });
});
