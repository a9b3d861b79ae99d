// Compresses the files that the server sends unchanged: once here, instead of for every request.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const DIST = 'dist';
const PACKS = /\.(js|css|svg)$/;

const files = readdirSync(DIST, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && PACKS.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

for (const file of files) {
  const text = readFileSync(file);
  for (const [ending, packed] of [
    ['br', brotliCompressSync(text)],
    ['gz', gzipSync(text, { level: 9 })],
  ]) {
    if (packed.length < text.length) writeFileSync(`${file}.${ending}`, packed);
  }
}
process.stdout.write(`${files.length} files compressed\n`);
