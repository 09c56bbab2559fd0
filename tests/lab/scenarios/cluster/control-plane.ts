/** etcd and kube-apiserver as ordinary processes on loopback ports, compiled from their Go modules. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildServer, startChildServer } from '../../../../tools/infra/src/child-server.ts';
import { CACHE_DIR } from '../../../../tools/infra/src/maven.ts';
import { freePorts } from '../../kit/product/processes.ts';

const version = 'v1.36.3';
const staging = version.replace('v1', 'v0');
const programs = {
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  etcd: 'go.etcd.io/etcd/server/v3',
};
const cache = join(CACHE_DIR, 'cluster');
const token = 'operator';
const buildMs = 3_600_000;
const readyTimeoutMs = 180_000;
const callMs = 120_000;

export type ControlPlane = {
  version: string;
  /** @returns what kubectl printed, both streams, and its exit code */
  kubectl(args: readonly string[], input?: string): Promise<{ code: number; output: string }>;
  stop(): Promise<void>;
};

/**
 * Compiles the three programs once: 6 minutes on two idle cores, 2 GB of Go's caches, 220 MB of programs.
 * @returns the folder of the programs
 * @throws Error when Go is missing or its module proxy cannot be reached
 */
export async function buildControlPlane(): Promise<string> {
  const key = createHash('sha256')
    .update(`${version}${Object.values(programs)}`)
    .digest('hex')
    .slice(0, 12);
  const built = join(cache, key);
  if (existsSync(built)) return built;
  const source = join(cache, 'source');
  const draft = `${built}.${process.pid}`;
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  const go = (args: string[]): Promise<string> =>
    execute('go', args, source, {
      GOFLAGS: '-mod=mod',
      GOWORK: 'off',
      CGO_ENABLED: '0',
      GOTOOLCHAIN: 'local',
      ...(process.env.GOPATH ? {} : { GOPATH: join(cache, 'go') }),
    });
  writeFileSync(
    join(source, 'go.mod'),
    `module cluster\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes ${version}\n`,
  );
  const downloaded = await go(['mod', 'download', '-json', `k8s.io/kubernetes@${version}`]);
  const { GoMod } = JSON.parse(downloaded) as { GoMod: string };
  // Its own parts are required as v0.0.0, which no proxy has: they are released as v0.<minor>.<patch>.
  const parts = [...readFileSync(GoMod, 'utf8').matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0(?=\s)/gm)];
  for (const [, part] of parts) await go(['mod', 'edit', `-replace=${part}=${part}@${staging}`]);
  const named = ['k8s.io/component-base/version.gitVersion', 'k8s.io/client-go/pkg/version.gitVersion'];
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  const flags = [
    ...named.map(name => `-X ${name}=${version}`),
    `-X k8s.io/component-base/version.gitMajor=${major}`,
    `-X k8s.io/component-base/version.gitMinor=${minor}`,
  ];
  for (const [name, path] of Object.entries(programs)) {
    console.log(`  compiling ${name} ...`);
    await go(['build', '-trimpath', '-ldflags', `-s -w ${flags.join(' ')}`, '-o', join(draft, name), path]);
  }
  renameSync(draft, built);
  rmSync(source, { recursive: true, force: true });
  return built;
}

/** @param folder for its data, keys and logs */
export async function startControlPlane(built: string, folder: string): Promise<ControlPlane> {
  const [clients = 0, peers = 0, secure = 0] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${clients}`;
  const server = `https://127.0.0.1:${secure}`;
  const key = join(folder, 'service-accounts.key');
  execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
  writeFileSync(join(folder, 'tokens.csv'), `${token},operator,operator,system:masters\n`, { mode: 0o600 });
  const started: ChildServer[] = [];
  const stop = async (): Promise<void> => {
    for (const one of started.toReversed()) await one.stop();
  };
  const kubectl: ControlPlane['kubectl'] = async (args, input) => {
    const access = ['--server', server, '--token', token, '--insecure-skip-tls-verify'];
    return await call(join(built, 'kubectl'), [...access, ...args], folder, input);
  };
  try {
    started.push(
      await startChildServer({
        name: 'etcd',
        command: join(built, 'etcd'),
        args: [
          ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
          ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
          ...['--listen-peer-urls', `http://127.0.0.1:${peers}`],
        ],
        logFile: join(folder, 'etcd.log'),
        isReady: () => answers(`${etcdUrl}/health`),
        readyTimeoutMs,
      }),
    );
    started.push(
      await startChildServer({
        name: 'kube-apiserver',
        command: join(built, 'kube-apiserver'),
        args: [
          ...['--etcd-servers', etcdUrl, '--cert-dir', join(folder, 'certificates')],
          ...[
            '--bind-address',
            '127.0.0.1',
            '--secure-port',
            String(secure),
            '--advertise-address',
            '10.0.2.100',
          ],
          ...['--service-cluster-ip-range', '10.96.0.0/16', '--token-auth-file', join(folder, 'tokens.csv')],
          ...['--service-account-issuer', 'https://kubernetes.default.svc'],
          ...['--service-account-key-file', key, '--service-account-signing-key-file', key],
          ...['--authorization-mode', 'Node,RBAC'],
          ...['--enable-admission-plugins', 'PodSecurity,LimitRanger,ResourceQuota,NodeRestriction'],
        ],
        logFile: join(folder, 'kube-apiserver.log'),
        isReady: async () => (await kubectl(['get', '--raw', '/readyz'])).output.trim().endsWith('ok'),
        readyTimeoutMs,
      }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { version, kubectl, stop };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function call(
  command: string,
  args: readonly string[],
  cwd: string,
  input = '',
): Promise<{ code: number; output: string }> {
  return new Promise(done => {
    const options = {
      cwd,
      timeout: callMs,
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: process.env.PATH, HOME: cwd },
    };
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
    child.stdin?.end(input);
  });
}

function execute(command: string, args: string[], cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd, timeout: buildMs, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...env } };
    execFile(command, args, options, (error, stdout, stderr) =>
      error === null
        ? done(stdout)
        : fail(new Error(`${command} ${args[0]} failed: ${stderr.trim().slice(-500) || error.message}`)),
    );
  });
}
