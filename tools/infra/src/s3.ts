import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@hookline/embedded/free-port';
import { askPort, type ChildServer, startChildServer } from './child-server.ts';
import { fetchWithMaven, requireCommand } from './maven.ts';

const S3PROXY_VERSION = '2.9.0';
const READY_TIMEOUT_MS = 60_000;
const IDENTITY = 'hookline';
const CREDENTIAL = 'hookline-test-secret';

export type S3Options = {
  /** Contains the objects; a second start on the same folder finds them again. */
  workDir: string;
  log?: (line: string) => void;
  onPid?: (pid: number) => void;
};

export type S3Process = ChildServer & {
  /** `http://<access key>:<secret key>@127.0.0.1:<port>`; stays the same over `kill` and `restart`. */
  url: string;
};

/**
 * Starts a real S3 server (S3Proxy: signatures checked, conditional writes, ranges) as an ordinary Java
 * process from jars that Maven downloads. It has no bucket yet.
 *
 * @throws a one-sentence error: what to install, or the server's error
 */
export async function startS3(options: S3Options): Promise<S3Process> {
  const workDir = resolve(options.workDir);
  requireCommand('S3Proxy', 'java');
  const pom = resolve(import.meta.dirname, '../s3/pom.xml');
  const jars = await fetchWithMaven(`s3proxy-${S3PROXY_VERSION}`, pom, 'copy-dependencies');
  const objects = join(workDir, 'objects');
  mkdirSync(objects, { recursive: true });
  const port = await freePort();
  const properties = join(workDir, 's3proxy.properties');
  writeFileSync(properties, propertiesOf(port, objects), { mode: 0o600 });
  // Without a configuration file logback prints every byte at level debug.
  const logback = join(workDir, 'logback.xml');
  writeFileSync(logback, '<configuration><root level="WARN"/></configuration>\n');
  const server = await startChildServer({
    name: 'S3Proxy',
    command: 'java',
    args: [
      '-Xmx256m',
      '-XX:TieredStopAtLevel=1',
      `-Dlogback.configurationFile=${logback}`,
      '-cp',
      join(jars, '*'),
      'org.gaul.s3proxy.Main',
      '--properties',
      properties,
    ],
    logFile: join(workDir, 's3proxy.log'),
    isReady: () => answersHttp(port),
    readyTimeoutMs: READY_TIMEOUT_MS,
    ...(options.onPid === undefined ? {} : { onPid: options.onPid }),
  });
  options.log?.(`S3Proxy ${S3PROXY_VERSION} answers on 127.0.0.1:${port}.`);
  return { ...server, url: `http://${IDENTITY}:${CREDENTIAL}@127.0.0.1:${port}` };
}

function propertiesOf(port: number, objects: string): string {
  return `${[
    `s3proxy.endpoint=http://127.0.0.1:${port}`,
    's3proxy.authorization=aws-v2-or-v4',
    `s3proxy.identity=${IDENTITY}`,
    `s3proxy.credential=${CREDENTIAL}`,
    'jclouds.provider=filesystem-nio2',
    'jclouds.identity=unused',
    'jclouds.credential=unused',
    `jclouds.filesystem.basedir=${objects}`,
  ].join('\n')}\n`;
}

/** Any HTTP answer will do: without a signature it is a 403. */
async function answersHttp(port: number): Promise<boolean> {
  const answer = await askPort(port, Buffer.from('GET / HTTP/1.0\r\n\r\n'));
  return answer?.toString('latin1').startsWith('HTTP/1.') ?? false;
}
