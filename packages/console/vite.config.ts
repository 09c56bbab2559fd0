import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A running product, for `vite dev`; its PUBLIC_URL must then be the address of the dev server.
const product = 'http://localhost:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwind()],
  build: {
    target: 'es2022',
    // The CSP allows neither data: images nor inline styles and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/console/api': product, '/console/enter': product, '/media': product, '/api': product },
  },
});
