/**
 * The steps of docs/self-hosting.md in containers: start, first owner, mail, model, backup, upgrade, restore.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { scopes } from '@hookline/shared/contracts/scopes';
import { controlHeaders, controlToken } from '@hookline/testing/simulator-controls';
import { z } from 'zod';
import { repositoryRoot } from '../../kit/product/processes.ts';
import { composeCommand, nameApart, project } from './project.ts';
import type { Run } from './run.ts';

/**
 * The first commit with deploy/compose/self-hosting.yml. Replace it by the version before once there is one.
 */
export const versionBefore = '4a8beb31154b8c633fca6e68b403f67a84d30369';
/** Caddy issues certificates for names below localhost itself. */
const host = 'hookline.localhost';
const settings = `HOOKLINE_HOST=${host}
TIKTOK_CLIENT_KEY=the-client-key
TIKTOK_CLIENT_SECRET=the-client-secret
SMTP_URL=smtp://simulators:2525
MAIL_FROM=Hookline <hookline@example.com>
LLM_BASE_URL=http://simulators:8090/llm/v1
LLM_API_KEY=the-key-of-the-model
LLM_MODEL=simulated
SIMULATORS_CONTROL_TOKEN=${controlToken}
`;
const files = ['docker-compose.yml', 'deploy/compose/self-hosting.yml'];
const ours = 'self-hosting.lab.yml';
const mailMaxMs = 90_000;

const owner = { email: 'owner@example.com', password: randomBytes(12).toString('base64url') };
const invited = { email: 'ben@example.com', password: randomBytes(12).toString('base64url') };

const SignedIn = z.object({ data: z.object({ session: z.object({ token: z.string() }) }) });
const Minted = z.object({ data: z.object({ key: z.string() }) });
const Made = z.object({ data: z.object({ id: z.string() }) });
const Connected = z.object({ data: z.object({ authorizeUrl: z.string() }) });
const Content = z.object({
  data: z.object({
    writer: z.object({ kind: z.string() }).nullable(),
    images: z.array(z.object({ url: z.string() })).min(1),
  }),
});
const Mails = z.array(z.object({ text: z.string() }));

type Asked = { method?: string; token?: string; body?: object };

export async function proveSelfHosting(run: Run, clone: string): Promise<void> {
  const { engine, figures, complaints, timed } = run;
  const environment = join(engine.folder, 'hookline.env');
  const certificate = join(engine.folder, 'hookline.crt');
  // The version before does not start without a key of YouTube.
  writeFileSync(environment, `${settings}YOUTUBE_API_KEY=no-key\n`);
  chmodSync(environment, 0o600);
  const given = composeCommand([...files, ours], '--env-file', environment);
  const hookline = (...args: string[]) => engine.run([...given, ...args], clone);
  const operate = (...args: string[]) => hookline('run', '--rm', 'ops', ...args);
  // As in the page. The simulators belong to a profile there.
  const up = () => hookline('--profile', 'simulators', 'up', '--detach', '--build', '--wait');

  /** A request to the public name, by way of Caddy. The body is null where the answer is not JSON. */
  async function ask(path: string, { method = 'GET', token, body }: Asked = {}) {
    const headers = ['content-type: application/json', `idempotency-key: ${randomBytes(12).toString('hex')}`];
    if (token) headers.push(`authorization: Bearer ${token}`);
    const output = await engine.run([
      ...['curl', '-sS', '--max-time', '60', '--cacert', certificate, '--resolve', `${host}:443:127.0.0.1`],
      ...['-X', method, ...headers.flatMap(header => ['-H', header])],
      ...(body ? ['-d', JSON.stringify(body)] : []),
      ...[
        '-w',
        '\n%{http_code} %{content_type}',
        path.startsWith('https:') ? path : `https://${host}${path}`,
      ],
    ]);
    const [last = ''] = output.split('\n').slice(-1);
    const text = output.slice(0, -last.length - 1);
    const isJson = last.includes('json');
    return { status: Number(last.slice(0, 3)), type: last.slice(4), body: isJson ? JSON.parse(text) : null };
  }
  async function expectStatus(what: string, path: string, status: number, asked?: Asked) {
    const answer = await ask(path, asked);
    if (answer.status !== status)
      complaints.push(`${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`.slice(0, 300));
    return answer;
  }
  const signIn = async ({ email, password }: typeof owner) => {
    const body = { email, password };
    const answer = await expectStatus('sign-in', '/api/v1/auth/sign-in', 200, { method: 'POST', body });
    return SignedIn.parse(answer.body).data.session.token;
  };
  const trustCaddy = async () => {
    const root = '/data/caddy/pki/authorities/local/root.crt';
    writeFileSync(certificate, await hookline('exec', '-T', 'caddy', 'cat', root));
  };

  const isUpgraded = layOut(clone, versionBefore);
  if (!isUpgraded) complaints.push(`the history does not reach back to ${versionBefore}`);
  await timed('self-hosting: start', up);
  await trustCaddy();
  await expectStatus('readyz', '/readyz', 200);

  const made = await operate('create-owner', '--email', owner.email);
  const token = /token=([\w-]+)/.exec(made)?.[1] ?? '';
  const confirmed = { method: 'POST', body: { token, password: owner.password } };
  await expectStatus('the link', '/api/v1/auth/password-reset/confirm', 200, confirmed);
  await expectStatus('the link used again', '/api/v1/auth/password-reset/confirm', 400, confirmed);
  const twice = await operate('create-owner', '--email', owner.email).catch((error: Error) => error.message);
  if (!twice.includes('nothing was made')) complaints.push('create-owner makes the same person twice');
  await expectStatus('sign-up', '/api/v1/auth/sign-up', 403, {
    method: 'POST',
    body: { email: 'stranger@example.com', password: 'long enough for it' },
  });
  await inviteByMail(await signIn(owner));

  await operate('backup', '/backups/before-upgrade');
  if (isUpgraded) layOut(clone, 'HEAD');
  writeFileSync(environment, settings);
  await timed('self-hosting: upgrade', up);
  await trustCaddy();
  const session = await signIn(owner);
  await expectMembers(session, 'after the upgrade');
  const image = await makeContent(session);
  await checkTikTok(session);
  await timed('self-hosting: backup', () => operate('backup', '/backups/nightly'));

  // As in the page: the database is lost, the secrets and the bucket are not.
  await hookline('--profile', 'simulators', 'down');
  await engine.run(['docker', 'volume', 'rm', `${project}_postgres`]);
  await timed('self-hosting: restore', async () => {
    await hookline('run', '--rm', 'migrate');
    await operate('restore', '/backups/nightly');
    await up();
  });
  await operate('resume-sending');
  await expectMembers(await signIn(owner), 'after the restore');
  await signIn(invited);
  await expectStatus('a picture after the restore', image, 200);
  const invariants = (await operate()).trim().split('\n').at(-1) ?? '';
  console.log(`self-hosting: ${invariants}`);
  figures['self-hosting'] = 'start, owner, mail, model, upgrade, backup, restore';
  await hookline('--profile', 'simulators', 'down', '--volumes', '--remove-orphans');

  async function inviteByMail(session: string): Promise<void> {
    await expectStatus('the invitation', '/api/v1/workspace/invitations', 201, {
      ...{ method: 'POST', token: session },
      body: { email: invited.email, role: 'editor' },
    });
    const script = `console.log(await (await fetch('http://127.0.0.1:8090/_control/mails?to=${invited.email}', { headers: ${JSON.stringify(controlHeaders)} })).text());`;
    let link: string | undefined;
    for (const untilMs = performance.now() + mailMaxMs; link === undefined && performance.now() < untilMs; ) {
      await wait(2_000);
      const mails = Mails.parse(
        JSON.parse(await hookline('exec', '-T', 'simulators', 'node', '--input-type=module', '-e', script)),
      );
      link = /token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
    }
    if (link === undefined) return void complaints.push('the mail with the invitation did not arrive');
    await expectStatus('accepting the invitation', '/api/v1/auth/invitations/accept', 201, {
      method: 'POST',
      body: { token: link, name: 'Ben', password: invited.password },
    });
  }

  async function expectMembers(session: string, when: string): Promise<void> {
    const { body } = await expectStatus('members', '/api/v1/workspace/members', 200, { token: session });
    const members = z.object({ data: z.array(z.unknown()) }).parse(body).data.length;
    if (members !== 2) complaints.push(`${members} members instead of 2 ${when}`);
  }

  /** @returns the address of a picture, empty when there is none. */
  async function makeContent(session: string): Promise<string> {
    const listing = { name: 'Pebblo', description: 'A planner that turns a long list into one next step.' };
    const key = await expectStatus('a key', '/api/v1/keys', 201, {
      ...{ method: 'POST', token: session },
      body: { name: 'Agent', scopes },
    });
    const token = Minted.parse(key.body).data.key;
    const app = await expectStatus('an app', '/api/v1/apps', 201, {
      ...{ method: 'POST', token },
      body: { listing },
    });
    const appId = Made.parse(app.body).data.id;
    const brief = { templateId: 'quote-card', archetype: 'listicle' };
    const made = await expectStatus('content', '/api/v1/content', 201, {
      ...{ method: 'POST', token },
      body: { appId, type: 'slideshow', brief },
    });
    const { writer, images } = Content.parse(made.body).data;
    if (writer?.kind !== 'model') complaints.push('the model did not write the slides');
    const url = images[0]?.url ?? '';
    const picture = await expectStatus('a picture', url, 200);
    if (!picture.type.startsWith('image/')) complaints.push(`a picture is ${picture.type}`);
    return url;
  }

  /** TikTok itself is not reached: what it is asked for must be what its app was registered with. */
  async function checkTikTok(session: string): Promise<void> {
    const asked = { method: 'POST', token: session, body: {} };
    const { body } = await expectStatus('connecting', '/api/v1/accounts/tiktok/connect', 201, asked);
    const url = new URL(Connected.parse(body).data.authorizeUrl);
    const redirect = `https://${host}/api/v1/accounts/tiktok/callback`;
    if (url.host !== 'www.tiktok.com' || url.searchParams.get('redirect_uri') !== redirect)
      complaints.push(`people are sent to ${url.href} to connect`);
  }
}

/** @returns false when the history does not reach back to the commit. */
function layOut(clone: string, commit: string): boolean {
  const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' });
  try {
    const full = execFileSync('git', ['-C', repositoryRoot, 'rev-parse', `${commit}^{commit}`], {
      encoding: 'utf8',
    });
    git('fetch', '--quiet', '--depth', '1', `file://${repositoryRoot}`, full.trim());
  } catch {
    return false;
  }
  git('checkout', '--quiet', '--force', 'FETCH_HEAD');
  nameApart(clone);
  execFileSync('cp', [join(import.meta.dirname, 'self-hosting.yml'), join(clone, ours)]);
  return true;
}
