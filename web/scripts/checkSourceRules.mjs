// Rules about the source that no linter knows: import direction, styles, file length and meaningless names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenRules } from './sourceRules.mjs';

const SRC = 'src';

const files = new Map(
  readdirSync(SRC, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(SRC.length + 1), readFileSync(path, 'utf8')]),
);
const broken = brokenRules(files);

for (const sentence of broken) console.error(sentence);
process.exitCode = broken.length > 0 ? 1 : 0;
