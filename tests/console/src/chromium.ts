/** The browser of these tests: the one of an npm package, or another that the caller names. */
import { execFile } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { repositoryRoot } from '../../lab/kit/product/processes.ts';

/** The pinned version of @sparticuz/chromium: npm on another Node picks an older one without saying so. */
const packageVersion = '153.0.0';

export type Chromium = { executablePath: string; env: Record<string, string> };

/**
 * `$CHROMIUM_PATH`, else the packaged headless shell, inflated once per checkout. The shell lays out no window:
 * the same tests take half the processor time of Debian's Chromium.
 */
export async function findChromium(): Promise<Chromium> {
  const own = process.env.CHROMIUM_PATH;
  return own === undefined ? inflate() : { executablePath: own, env: {} };
}

/**
 * The package's own function writes to a fixed path in the temporary folder, not atomically, and returns an
 * older version that it finds there.
 */
async function inflate(): Promise<Chromium> {
  const folder = join(repositoryRoot, `.cache/chromium-${packageVersion}`);
  if (!existsSync(folder)) {
    const bin = join(import.meta.dirname, '../node_modules/@sparticuz/chromium/bin');
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    await Promise.all([
      pipeline(
        createReadStream(join(bin, 'chromium.br')),
        createBrotliDecompress(),
        createWriteStream(join(unfinished, 'chromium'), { mode: 0o755 }),
      ),
      unpack(join(bin, 'al2023.tar.br'), unfinished),
      unpack(join(bin, 'fonts.tar.br'), unfinished),
    ]);
    writeFileSync(join(unfinished, 'fonts.conf'), fontSettings(folder));
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      // Another run was first.
      rmSync(unfinished, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    // A machine without a desktop has neither NSS nor a font.
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder },
  };
}

/** The package's own file names folders of AWS Lambda. */
function fontSettings(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts'].map(path => `<dir>${path}</dir>`).join('');
  const cache = `<cachedir>${join(folder, 'font-cache')}</cachedir>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}${cache}</fontconfig>\n`;
}

/**
 * Through a file: Node closes a child's input as soon as the child has exited, so a pipeline into `tar` fails
 * with "Premature close" when `tar` exits before Node has seen its own end of the stream acknowledged.
 */
async function unpack(archive: string, folder: string): Promise<void> {
  const plain = join(folder, basename(archive, '.br'));
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(plain));
  await promisify(execFile)('tar', ['-x', '-f', plain, '-C', folder]);
  rmSync(plain);
}
