import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// A running product, for `vite dev`; its PUBLIC_URL must then be the address of the dev server.
const product = 'http://localhost:8080';

// What the first screen loads, as one file: one stream compresses 3 kB better than seven.
const eager = [
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack)\//,
  /\/src\/(?:api|queries|live|me|seen|decisions|drafts|flags|kept|later|Layout|router|main)\.tsx?$/,
  /\/src\/(?:texts\/shell|rules\/(?:approve-queue|deck|decision))\.ts$/,
  /\/src\/ui\/(?:Button|CopyButton|DeckNotice|ErrorBox|Icon|NewDeckButton|Progress|ShareButton|Slides|Toast|useTikTokFrame|back)\.tsx?$/,
  /\/src\/screens\/(?:Approve|ScreenError|approve\/(?:Deck|DecisionBar|use\w+))\.tsx?$/,
];

// What is opened together is one file: ninety small ones cost a browser more than what they spare.
const groups = {
  texts: /\/src\/texts\/(?:manage|plan|work)/,
  ui: /\/src\/ui\/(?!StageBadge|deckName)/,
  door: /\/src\/(?:texts\/door|screens\/(?:NotFound|SignIn)\.)/,
  talk: /\/src\/screens\/(?:Review\.|talk\/)/,
  approve: /\/src\/screens\/approve\//,
  work: /\/src\/screens\/(?:Due|Edit|Posts?|Schedule|ToSchedule|edit|posts?|schedule|to-schedule)\b/,
  manage:
    /\/src\/(?:manage\/|screens\/(?:Accounts|Apps|Audit|Automations|Credits|Events|Keys|Members|Numbers|OneApp|Settings|Usage|Webhooks|accounts|apps|numbers|settings)\b)/,
};

/** The service worker knows the files of its build by name, so another build is another worker. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    const files = Object.keys(bundle)
      .filter(name => name.startsWith('assets/'))
      .map(name => `/console/${name}`)
      .sort();
    const text = readFileSync(`${import.meta.dirname}/sw.js`);
    const digest = createHash('sha256')
      .update(files.join())
      .update(readFileSync(`${dir}/index.html`));
    const version = digest.digest('hex').slice(0, 8);
    const given = `const version = '${version}';\nconst files = ${JSON.stringify(files)};\n`;
    writeFileSync(`${dir}/sw.js`, given + text);
  },
};

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwind(), serviceWorker],
  build: {
    target: 'es2022',
    // The CSP allows neither data: images nor inline styles and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', test: id => eager.some(pattern => pattern.test(id)) },
            ...Object.entries(groups).map(([name, test]) => ({ name, test })),
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/console/api', '/console/enter', '/console/oidc', '/media', '/api'].map(path => [path, product]),
    ),
  },
});
