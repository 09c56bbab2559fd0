// The job check-secrets of docker-compose.yml. An engine that ignores "subpath" mounts the whole volume of
// secrets into every container, so nothing else that mounts it may start.
// node deploy/compose/own-secrets-only.mjs <folder>
import { readdirSync } from 'node:fs';

const [folder = '/run/hookline'] = process.argv.slice(2);
if (readdirSync(folder, { withFileTypes: true }).some(entry => entry.isDirectory())) {
  console.error(
    `${folder} contains the secrets of other processes: docker-compose.yml needs Docker Engine 26 and Compose 2.26 or newer.`,
  );
  process.exit(1);
}
