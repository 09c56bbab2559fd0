// Used by the Dockerfile: maps a SERVICE to its workspace and to the source folders that its image keeps. As the
// command of the image of the whole product it starts that.
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { env } from 'node:process';

const services = ['gateway', 'content', 'scheduling', 'automation', 'analytics'];
const workspaces = {
  ...Object.fromEntries(services.map(name => [name, `services/${name}`])),
  simulators: 'packages/simulators',
  migrate: 'packages/shared',
  // The operator commands access every schema, through each service's operator face.
  ops: 'ops',
  hookline: 'deploy/standalone',
};
const product = new URL('standalone/src/main.ts', import.meta.url);

const [service = '', option] = process.argv.slice(2);
const workspace = workspaces[service];
if (service === '' && existsSync(product)) {
  takeHost();
  await import(product);
} else if (workspace === undefined) {
  console.error(
    `SERVICE must be one of ${Object.keys(workspaces).join(', ')}; a container of it needs a command.`,
  );
  process.exit(1);
} else if (option === '--keep') keepOnly(service);
else console.log(workspace);

/** What Render, Railway and Fly give: a volume that belongs to root, and a public address. */
function takeHost() {
  const host = env.RAILWAY_PUBLIC_DOMAIN || (env.FLY_APP_NAME && `${env.FLY_APP_NAME}.fly.dev`);
  const address = env.RENDER_EXTERNAL_URL || (host && `https://${host}`);
  if (address) env.PUBLIC_URL ||= address;
  if (process.getuid() !== 0) return;
  chownSync(env.DATA_DIR, 1000, 1000);
  process.setgroups([1000]);
  process.setgid(1000);
  process.setuid(1000);
  env.HOME = '/home/node';
}

function keepOnly(kept) {
  if (kept === 'hookline') {
    removeAllBut('packages/console', 'dist');
    for (const name of ['tools', 'tsconfig.json', 'packages/sdk']) rmSync(name, { recursive: true });
    return;
  }
  rmSync('deploy/standalone', { recursive: true });
  if (kept !== 'simulators') rmSync('packages/simulators', { recursive: true });
  // The simulators import nothing from the product.
  else rmSync('packages/shared', { recursive: true });
  // The gateway's console is built by now.
  for (const name of ['tools', 'tsconfig.json', 'packages/sdk']) rmSync(name, { recursive: true });
  if (kept === 'gateway') removeAllBut('packages/console', 'dist');
  else for (const name of ['packages/console', 'docs']) rmSync(name, { recursive: true });
  if (kept !== 'gateway' && kept !== 'ops') rmSync('packages/mcp', { recursive: true });
  if (kept === 'ops') return;
  rmSync('ops', { recursive: true });
  rmSync('packages/embedded', { recursive: true });
  for (const name of readdirSync('services')) {
    if (name === kept) continue;
    if (kept === 'migrate') removeAllBut(`services/${name}`, 'migrations');
    else rmSync(`services/${name}`, { recursive: true });
  }
  if (kept !== 'content') {
    for (const name of ['deck', 'writer', 'slides']) rmSync(`packages/${name}`, { recursive: true });
  }
}

function removeAllBut(folder, kept) {
  for (const name of readdirSync(folder)) {
    if (name !== kept) rmSync(`${folder}/${name}`, { recursive: true });
  }
}
