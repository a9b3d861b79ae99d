import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Where the server listens while the app is developed with `npm run dev`. */
const DEV_SERVER = process.env['VISADESK_DEV_SERVER'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The server puts a fresh nonce here with every page it renders.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    manifest: true,
    // One file for all screens is smaller than the sum of its parts, and no screen waits for its own.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // A data: URL would need room in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { staff: fileURLToPath(new URL('./index.html', import.meta.url)) },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // What many screens share comes in two: apart, each part is too small to be packed well.
          groups: [
            { name: 'lists', test: /src\/ui\/(Data|ListScreen|Loaded|Search)/ },
            {
              name: 'parts',
              test: /src\/ui\/(Button|Card|Checkbox|Chip|Dialog|Field|Form|Icon|ListNotice|Password|Time)|StatusChip/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': DEV_SERVER, '/uploads': DEV_SERVER } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://visadesk.test/' } },
    setupFiles: ['./src/testing/setup.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    isolate: false,
    // Machines that build the server at the same time are slow.
    testTimeout: 60_000,
  },
});
