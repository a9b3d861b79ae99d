// The laws of the house that no linter knows: who may import whom, how long a file may be,
// and which names say nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = 'src';
const LONGEST_FILE = 400;
const EMPTY_NAMES = /^(utils?|helpers?|common|misc|shared)$/i;
const GENERATED = 'src/api/schema.ts';

/** What each part may import besides itself: app, visitor → pages → features → ui, api, i18n. */
const MAY_IMPORT = {
  app: ['pages', 'features', 'ui', 'api'],
  visitor: ['pages', 'features', 'ui', 'api', 'i18n'],
  pages: ['features', 'ui', 'api', 'i18n'],
  features: ['ui', 'api', 'i18n'],
  ui: [],
  api: [],
  i18n: [],
  testing: ['app', 'visitor', 'pages', 'features', 'ui', 'api', 'i18n'],
};

/** Leaves of `app` that every part above `ui` needs: they import nothing but `api`. */
const LEAVES = ['app/paths', 'app/auth'];

const broken = [];

for (const file of sources(SRC)) {
  const text = readFileSync(file, 'utf8');
  const name = relative(SRC, file);
  const lines = text.split('\n').length;
  if (lines > LONGEST_FILE && file !== GENERATED) {
    broken.push(`${file} has ${lines} lines, ${LONGEST_FILE} are allowed: split it by verb`);
  }
  for (const part of name.split('/')) {
    if (EMPTY_NAMES.test(part.replace(/\..*$/, ''))) broken.push(`${file}: “${part}” says nothing`);
  }
  for (const [, path] of text.matchAll(/(?:from|import\()\s*'([.@][^']*)'/g)) {
    const target = resolved(file, path);
    if (target && !isLawful(name, target)) broken.push(`${file} must not import ${target}`);
  }
}

for (const sentence of broken) console.error(sentence);
process.exitCode = broken.length > 0 ? 1 : 0;

/** The imported file as a path below `src`, or null for a package. */
function resolved(file, path) {
  if (path.startsWith('@/')) return path.slice(2);
  return path.startsWith('.') ? relative(SRC, join(dirname(file), path)) : null;
}

function isLawful(importer, imported) {
  const [from, fromNoun] = importer.split('/');
  const [to, toNoun] = imported.split('/');
  const isTest = importer.includes('.test.');
  if (LEAVES.some((leaf) => importer === `${leaf}.ts`) && to !== 'api') return false;
  if (isTest && to === 'testing') return true;
  if (LEAVES.includes(imported)) return from !== 'ui' && from !== 'api';
  if (from === 'features' && to === 'features') return fromNoun === toNoun;
  return from === to || from === 'main.tsx' || (MAY_IMPORT[from]?.includes(to) ?? false);
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
