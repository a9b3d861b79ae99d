import { basename, dirname, join } from 'node:path';

const MAX_FILE_LINES = 400;
const MEANINGLESS_NAMES = /^(utils?|helpers?|common|misc|shared)$/i;
const GENERATED = 'api/schema.ts';

/** The folders of `src`, top layer first. A folder imports from itself and from the layers below, never beside it. */
const LAYERS = [
  ['main.tsx'],
  ['app', 'visitor'],
  ['pages'],
  ['features'],
  ['session', 'paths'],
  ['ui', 'api', 'i18n'],
];

/** What breaks the rules in `files`, a map from the path below `src` to the text. One sentence each. */
export function brokenRules(files) {
  const imports = new Map([...files].map(([name, text]) => [name, importsOf(name, text, files)]));
  return [
    [...files].flatMap(([name]) => nameFaults(name)),
    caseFaults([...files.keys()]),
    [...files].flatMap(([name, text]) => lengthFaults(name, text)),
    [...imports].flatMap(([name, targets]) => importFaults(name, targets)),
    [...imports].flatMap(([name, targets]) => styleFaults(name, targets)),
    [...files].flatMap(([name, text]) => classNameFaults(name, text)),
    formFaults(files),
    importCircles(imports).map((circle) => `Import circle: ${circle.join(' → ')}`),
  ].flat();
}

function nameFaults(name) {
  return name
    .split('/')
    .filter((part) => MEANINGLESS_NAMES.test(part.replace(/\..*$/, '')))
    .map((part) => `${name}: “${part}” says nothing`);
}

/** Imports have no ending, so on a disk that ignores case one of the two files would answer for the other. */
function caseFaults(names) {
  const stems = Map.groupBy(names, (name) => name.replace(/\.[^./]*$/, '').toLowerCase());
  return [...stems.values()]
    .filter((group) => new Set(group.map((name) => name.replace(/\.[^./]*$/, ''))).size > 1)
    .map((group) => `${group.join(' and ')} differ in case alone`);
}

function lengthFaults(name, text) {
  const lines = text.split('\n').length;
  if (lines <= MAX_FILE_LINES || name === GENERATED) return [];
  return [`${name} has ${lines} lines, ${MAX_FILE_LINES} are allowed: split it by verb`];
}

function importFaults(name, targets) {
  return targets
    .filter((target) => !mayImport(name, target))
    .map((target) => `${name} must not import ${target}`);
}

/** A style module named after a component belongs to it alone; one with a lower-case name to the files beside it. */
function styleFaults(name, targets) {
  const component = stem(name);
  const isOwn = (target) =>
    dirname(target) === dirname(name) &&
    (/^[a-z]/.test(basename(target)) || stem(target) === component);
  return targets
    .filter((target) => target.endsWith('.module.css') && !isOwn(target))
    .map((target) => `${name} must not import the styles of ${stem(target)}`);
}

/** The applicant's pages, whose few styles are one small file with plain class names. */
const PLAIN_STYLES = /^(visitor|features\/visitor)\/|^pages\/TrackOrderPage\.tsx$/;

/** In the staff app looks are components: no class name of theirs is known elsewhere. */
function classNameFaults(name, text) {
  if (PLAIN_STYLES.test(name) || name.includes('.test.')) return [];
  if (name.endsWith('.css')) {
    return text.includes(':global') ? [`${name} styles a global class name`] : [];
  }
  const written = [...text.matchAll(/className=(?:"([^"]*)"|\{'([^']*)'|\{`([^`]*)`)/g)]
    .map(([, plain, quoted, template]) => plain ?? quoted ?? template)
    .map((value) => value.replaceAll(/\$\{[^}]*\}/g, '').trim())
    .filter((value) => value !== '');
  return written.map((value) => `${name} uses the global class name “${value}”`);
}

/** The forms that keep no draft by `useDraftedForm`, with the reason. */
export const WITHOUT_DRAFT = {
  'features/audit/AuditFilterForm.tsx': 'its filters are in the address',
  'features/auth/AuthenticatorSetup.tsx': 'a one-time code is never stored',
  'features/auth/ChangePasswordForm.tsx': 'a password is never stored',
  'features/auth/ConfirmForm.tsx': 'a password or a one-time code is never stored',
  'features/auth/PasskeySetup.tsx': 'it is also part of the sign-in, where no member is known yet',
  'features/auth/SecondFactorForm.tsx': 'a one-time code is never stored',
  'features/auth/SignInForm.tsx': 'a password is never stored, and no member is known yet',
  'features/auth/useOneField.ts': 'a password or a one-time code is never stored',
  'features/gateway/GatewaySetting.tsx':
    'it is one choice, which must be made on what is shown now',
  'features/order/detail/documents/UploadDocument.tsx':
    'a file cannot be stored: it is kept in memory, with the session’s drafts',
  'features/order/filters/FilterDialog.tsx': 'its filters are in the address',
  'features/order/detail/mails/MailForm.tsx':
    'it has buttons only: the recipient is a form of its own',
  'features/report/DaysForm.tsx': 'its days are in the address',
  'features/visitor/CodeForm.tsx': 'a one-time code is never stored',
  'features/visitor/TrackForm.tsx':
    'the order is in the address, and the email stays off shared computers',
  'features/visitor/papers/PaperPickers.tsx': 'a file cannot be stored',
};

/** The files that forms are made of. */
const FORM_PARTS = new Set([
  'ui/FileDrop.tsx',
  'ui/Form.tsx',
  'ui/FormDialog.tsx',
  'session/useDraftedForm.ts',
]);

const FORM = /\buseForm[<(]|<form\b|<(Row)?Form(Dialog)?\b|<input\b[^>]*type="file"/;

/**
 * A form keeps what was typed through an ended session, a reload and a way back, and says so when it restored it; or it
 * is listed with the reason why not.
 */
function formFaults(files) {
  const undrafted = [...files]
    .filter(([name]) => !name.includes('.test.') && !FORM_PARTS.has(name))
    .filter(([, text]) => FORM.test(text) && !/\b(restored|formOf)\b/.test(text))
    .map(([name]) => name);
  return [
    ...undrafted
      .filter((name) => !(name in WITHOUT_DRAFT))
      .map(
        (name) =>
          `${name} loses what is typed: use useDraftedForm, or say why not in WITHOUT_DRAFT`,
      ),
    ...Object.keys(WITHOUT_DRAFT)
      .filter((name) => files.has(name) && !undrafted.includes(name))
      .map((name) => `${name} needs no entry in WITHOUT_DRAFT`),
  ];
}

function stem(path) {
  return basename(path).replace(/\..*$/, '');
}

/** The files of `src` that a file imports; packages are left out. */
function importsOf(name, text, files) {
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s*'([.@][^']*)'/g)];
  return specifiers.flatMap(([, specifier]) => {
    if (!specifier.startsWith('@/') && !specifier.startsWith('.')) return [];
    const path = specifier.startsWith('@/') ? specifier.slice(2) : join(dirname(name), specifier);
    const target = ['', '.ts', '.tsx'].map((ending) => path + ending).find((it) => files.has(it));
    return target === undefined ? [] : [target];
  });
}

function mayImport(importer, imported) {
  const [from, fromFeature] = importer.split('/');
  const [to, toFeature] = imported.split('/');
  if (to === 'testing') return from === 'testing' || importer.includes('.test.');
  if (from === 'testing') return true;
  if (from === 'features' && to === 'features') return fromFeature === toFeature;
  return from === to || layerOf(from) < layerOf(to);
}

function layerOf(folder) {
  return LAYERS.findIndex((folders) => folders.includes(folder));
}

/** Each circle of imports, once, as the files along it. */
function importCircles(imports) {
  const circles = [];
  const finished = new Set();
  const visit = (name, trail) => {
    if (trail.includes(name)) {
      circles.push([...trail.slice(trail.indexOf(name)), name]);
      return;
    }
    if (finished.has(name)) return;
    for (const target of imports.get(name) ?? []) visit(target, [...trail, name]);
    finished.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
  return circles;
}
