// Writes country_names.tsv: the names of the states of states.tsv in thirty languages, from CLDR.
// Prints the names that are left out, each with its reason. README.md beside this file says how to run it.
import { readFileSync, writeFileSync } from 'node:fs';

const PACKAGE = 'cldr-localenames-full';
const MAX_BYTES = 120_000;

// The thirty languages. Chinese counts twice: in simplified and in traditional characters.
const LANGUAGES = [
  ...['ar', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fr', 'he'],
  ...['hi', 'hu', 'id', 'it', 'ja', 'ko', 'ms', 'nb', 'nl', 'pl'],
  ...['pt', 'ro', 'ru', 'sv', 'th', 'tr', 'uk', 'vi', 'zh', 'zh-Hant'],
];

// Territories whose code in CLDR is not the one that states.tsv has.
const CLDR_CODES = { XK: 'RKS' };

// Names that CLDR gives to one state and that people use for another one as well.
const AMBIGUOUS = new Map([
  ['Congo', 'COD or COG'],
  ['Kongo', 'COD or COG'],
  ['Korea', 'KOR or PRK'],
]);

// Values of CLDR that are no names.
const PLACEHOLDER = /^[A-Z]{2}-variant$/;

// Letters that NFKD does not take apart.
const PLAIN = {
  ...{ æ: 'ae', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l' },
  ...{ ø: 'o', œ: 'oe', ß: 'ss', þ: 'th', ς: 'σ' },
};

/** The key of a name, as README.md has it. Empty, and so never found, where several values are typed. */
function fold(name) {
  if (/[/\\|;]/.test(name)) return '';
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[æđðħıłøœßþς]/gu, (letter) => PLAIN[letter]);
  const words = letters.replace(/[ʻʼ]/gu, '').split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== 'the').join('');
}

function read(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** The names of all territories with their codes in CLDR, short and variant forms among them. */
function namesOf(language) {
  const { main } = read(`node_modules/${PACKAGE}/main/${language}/territories.json`);
  const { territories } = main[language].localeDisplayNames;
  return Object.entries(territories).map(([key, name]) => [key.split('-')[0], name.normalize('NFC')]);
}

/** The codes of each key, the spellings of each code, and the languages of each spelling. */
function collect(byAlpha2) {
  const found = new Map();
  for (const language of LANGUAGES) {
    for (const [territory, name] of namesOf(language)) {
      const code = CLDR_CODES[territory] ?? byAlpha2.get(territory);
      if (!code || PLACEHOLDER.test(name)) continue;
      const codes = found.get(fold(name)) ?? new Map();
      const spellings = codes.get(code) ?? new Map();
      spellings.set(name, [...(spellings.get(name) ?? []), language]);
      found.set(fold(name), codes.set(code, spellings));
    }
  }
  return found;
}

/** The reason why a key cannot be used. undefined: it can. */
function reasonAgainst(key, codes, sameState, ambiguous) {
  if (codes.size > 1) return `${[...codes.keys()].sort().join(', ')}: one name, several codes`;
  const [code] = codes.keys();
  const owner = sameState.get(key.toUpperCase());
  if (owner && owner !== code) return `${code}: the same letters are the code of ${owner}`;
  if ([...key].length < 2) return `${code}: a single letter`;
  return ambiguous.has(key) ? `${code}: ${ambiguous.get(key)}` : undefined;
}

function main() {
  const table = readFileSync(new URL('states.tsv', import.meta.url), 'utf8').trimEnd().split('\n');
  const states = table.slice(1).map((line) => line.split('\t'));
  const byAlpha2 = new Map(states.map(([code, alpha2, , , same]) => [alpha2, same || code]));
  const sameState = new Map(
    states.flatMap(([code, alpha2, , , same]) => [code, alpha2].map((key) => [key, same || code])),
  );
  const ambiguous = new Map([...AMBIGUOUS].map(([name, reason]) => [fold(name), reason]));

  const names = new Map();
  const leftOut = [];
  for (const [key, codes] of collect(byAlpha2)) {
    const reason = reasonAgainst(key, codes, sameState, ambiguous);
    for (const [code, spellings] of codes) {
      const said = [...spellings].map(([name, languages]) => `${name} (${languages.join(', ')})`).sort();
      if (reason) leftOut.push(`  ${reason}: ${said.join('; ')}`);
      // Spellings with one key are one name: the first in code point order is stored.
      else names.set(code, [...(names.get(code) ?? []), [...spellings.keys()].sort()[0]]);
    }
  }

  const { version } = read(`node_modules/${PACKAGE}/package.json`);
  const header = `# ${PACKAGE} ${version}, by make_countries.mjs: code, names in ${LANGUAGES.length} languages`;
  const lines = [...names].map(([code, all]) => `${code}\t${all.sort().join('|')}`).sort();
  const text = `${[header, ...lines].join('\n')}\n`;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) throw new Error(`country_names.tsv has ${bytes} bytes; ${MAX_BYTES} are allowed`);
  writeFileSync(new URL('country_names.tsv', import.meta.url), text);

  console.log(`country_names.tsv: ${lines.length} states, ${[...names.values()].flat().length} names, ${bytes} bytes`);
  console.log(`Left out:\n${leftOut.sort().join('\n')}`);
}

main();
