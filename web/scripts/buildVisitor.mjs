// Builds the public pages beside the staff app: their own script, style and catalogs, and each page drawn once in
// each language. The server fills in the address of the marketing site.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const MANIFEST = '.vite/visitor.json';
/** Where the program that draws the pages is put. It runs here alone, and imports React from here. */
const DRAWING = join(ROOT, 'node_modules/.visitor');
const ENTRY = 'src/visitor/main.tsx';

process.env.NODE_ENV = 'production';

const config = {
  root: ROOT,
  configFile: false,
  plugins: [react()],
  resolve: { alias: { '@': join(ROOT, 'src') } },
  json: { namedExports: false },
};

await build({
  ...config,
  build: {
    outDir: DIST,
    emptyOutDir: false,
    copyPublicDir: false,
    manifest: MANIFEST,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: { visitor: join(ROOT, ENTRY) } },
  },
});
await build({
  ...config,
  build: {
    outDir: DRAWING,
    emptyOutDir: true,
    copyPublicDir: false,
    ssr: join(ROOT, 'src/visitor/prerender.tsx'),
    rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
  },
});

const manifest = JSON.parse(readFileSync(join(DIST, MANIFEST), 'utf8'));
const { prerendered } = await import(join(DRAWING, 'prerender.mjs'));
const { file, css } = manifest[ENTRY];
const documents = await prerendered({ script: `/${file}`, style: `/${css[0]}` });
for (const [name, html] of documents) {
  const path = join(DIST, 'visitor', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, html);
}
process.stdout.write(`${documents.size} public pages drawn\n`);
