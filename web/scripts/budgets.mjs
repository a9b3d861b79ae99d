// Weighs the production build: what each screen loads, gzipped, against its budget.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = 'dist';
const KB = 1000;

/** Kilobytes of JavaScript that a screen may load, and the parts of the app it loads. */
const SCREENS = {
  'sign-in': { limit: 180, parts: ['src/pages/SignInPage.tsx'] },
  dashboard: { limit: 195, parts: ['src/app/shell/Shell.tsx', 'src/pages/HomePage.tsx'] },
  list: { limit: 235, parts: ['src/app/shell/Shell.tsx', 'src/pages/OrderListPage.tsx'] },
  detail: { limit: 255, parts: ['src/app/shell/Shell.tsx', 'src/pages/ViewOrderPage.tsx'] },
};
const LAZY_CHUNK_LIMIT = 60;
const CSS_LIMIT = 20;
/** Kilobytes of the font that every staff screen loads, and of the one for rarer letters. */
const FONT_LIMITS = { first: 60, each: 90 };
/** Kilobytes that a visitor's phone loads before the page answers. */
const VISITOR = { js: 75, css: 3, html: 6 };

const manifest = JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, 'utf8'));
const entry = 'index.html';
const sizes = new Map();
let isOver = false;

for (const [screen, { limit, parts }] of Object.entries(SCREENS)) {
  const chunks = new Set([entry, ...parts].flatMap((part) => closure(part)));
  report(`JS of ${screen}`, total([...chunks].map((key) => manifest[key].file)), limit);
}
const lazy = Object.keys(manifest).filter((key) => !closure(entry).includes(key));
const scripts = lazy.map((key) => manifest[key].file).filter((file) => file.endsWith('.js'));
const heaviest = heaviestOf(scripts);
report(`Heaviest lazy chunk (${heaviest})`, sizeOf(heaviest), LAZY_CHUNK_LIMIT);
const styles = Object.values(manifest).map(({ file }) => file);
report('CSS of all screens', total(styles.filter((file) => file.endsWith('.css'))), CSS_LIMIT);
weighFonts();
weighVisitorPages();
process.exitCode = isOver ? 1 : 0;

/** Fonts are packed already. */
function weighFonts() {
  const size = (file) => statSync(`${DIST}/assets/${file}`).size / KB;
  const page = readFileSync(`${DIST}/index.html`, 'utf8');
  const fonts = readdirSync(`${DIST}/assets`).filter((name) => name.endsWith('.woff2'));
  const first = fonts.filter((name) => page.includes(name));
  if (first.length === 0) throw new Error('The staff page preloads no font');
  report(
    'Font of the staff page',
    first.map(size).reduce((a, b) => a + b),
    FONT_LIMITS.first,
  );
  report('Heaviest font', Math.max(...fonts.map(size)), FONT_LIMITS.each);
}

function weighVisitorPages() {
  const manifest = JSON.parse(readFileSync(`${DIST}/.vite/visitor.json`, 'utf8'));
  const { file, css, imports = [] } = manifest['src/visitor/main.tsx'];
  const chunks = [file, ...imports.map((key) => manifest[key].file)];
  report('JS of the public pages', total(chunks), VISITOR.js);
  report('CSS of the public pages', total(css), VISITOR.css);
  const names = readdirSync(`${DIST}/visitor`, { recursive: true });
  const pages = names.filter((name) => name.endsWith('.html')).map((name) => join('visitor', name));
  report('HTML of the longest public page', sizeOf(heaviestOf(pages)), VISITOR.html);
}

/** A chunk and all that it imports at once. */
function closure(key, seen = []) {
  if (seen.includes(key)) return seen;
  if (!manifest[key]) throw new Error(`The build has no ${key}`);
  return (manifest[key].imports ?? []).reduce((all, part) => closure(part, all), [...seen, key]);
}

function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(`${DIST}/${file}`)).length / KB);
  return sizes.get(file);
}

function heaviestOf(files) {
  return files.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}

function total(files) {
  return files.reduce((sum, file) => sum + sizeOf(file), 0);
}

function report(what, kilobytes, limit) {
  const over = kilobytes > limit;
  isOver ||= over;
  const line = `${what}: ${kilobytes.toFixed(1)} of ${limit} kB${over ? ', over budget' : ''}`;
  (over ? console.error : console.log)(line);
}
