// Preloaded by the first job of docker-compose.yml. An engine that ignores "subpath" mounts the whole volume of
// secrets into every container; nothing may start there.
import { existsSync, readdirSync } from 'node:fs';

const folder = '/run/hookline';
const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
if (entries.some(entry => entry.isDirectory())) {
  console.error(
    `${folder} contains the secrets of other processes: docker-compose.yml needs Docker Engine 26 and Compose 2.26 or newer.`,
  );
  process.exit(1);
}
