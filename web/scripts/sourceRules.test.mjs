import { expect, test } from 'vitest';
import { brokenRules } from './sourceRules.mjs';

const rulesOf = (files) => brokenRules(new Map(Object.entries(files)));
const importing = (path) => `import { it } from '${path}';\n`;

test('imports go down the layers', () => {
  const files = {
    'main.tsx': importing('./app/App'),
    'app/App.tsx': importing('@/pages/ListPage') + importing('@/ui/Chip'),
    'pages/ListPage.tsx': importing('@/features/order/List'),
    'features/order/List.tsx': importing('@/session/auth') + importing('./Row'),
    'features/order/Row.tsx': importing('@/paths/staffPaths'),
    'session/auth.ts': importing('@/api/client'),
    'paths/staffPaths.ts': '',
    'ui/Chip.tsx': '',
    'api/client.ts': '',
    'testing/openApp.tsx': importing('@/app/App'),
    'features/order/List.test.tsx': importing('@/testing/openApp'),
  };
  expect(rulesOf(files)).toEqual([]);
});

test.each([
  ['features/order/List.tsx', 'app/router.ts'],
  ['features/order/List.tsx', 'pages/ListPage.tsx'],
  ['session/auth.ts', 'features/order/List.tsx'],
  ['session/auth.ts', 'paths/staffPaths.ts'],
  ['ui/Chip.tsx', 'api/client.ts'],
  ['visitor/Shell.tsx', 'app/router.ts'],
  ['features/order/List.tsx', 'testing/openApp.tsx'],
  ['ui/Chip.tsx', 'elsewhere/thing.ts'],
])('%s must not import %s', (from, to) => {
  const path = `@/${to.replace(/\.tsx?$/, '')}`;
  expect(rulesOf({ [from]: importing(path), [to]: '' })).toEqual([`${from} must not import ${to}`]);
});

test('features do not import each other', () => {
  const files = {
    'features/audit/List.tsx': importing('../order/List'),
    'features/order/List.tsx': '',
  };
  expect(rulesOf(files)).toEqual([
    'features/audit/List.tsx must not import features/order/List.tsx',
  ]);
});

test('components do not import the styles of other components', () => {
  const files = {
    'ui/Field.tsx': importing('./Field.module.css'),
    'ui/PasswordField.tsx': importing('./Field.module.css') + importing('./table.module.css'),
    'ui/Field.module.css': '',
    'ui/table.module.css': '',
  };
  expect(rulesOf(files)).toEqual(['ui/PasswordField.tsx must not import the styles of Field']);
});

test('shared styles belong to the files beside them', () => {
  const files = {
    'features/order/detail/Facts.tsx': importing('./histories.module.css'),
    'features/order/detail/mails/Mails.tsx': importing('../histories.module.css'),
    'features/order/detail/histories.module.css': '',
  };
  expect(rulesOf(files)).toEqual([
    'features/order/detail/mails/Mails.tsx must not import the styles of histories',
  ]);
});

test('the staff app has no global class names, the pages of applicants may', () => {
  const files = {
    'ui/Card.tsx': '<div className={classes.card} />',
    'features/order/Row.tsx': '<p className={`${classes.row} ${classes.last}`} />',
    'features/order/Delete.tsx': '<a className="button" /><b className={`card ${classes.own}`} />',
    'ui/Form.module.css': '.form:global(.card) {}',
    'features/visitor/Needs.tsx': '<section className="card needs" />',
  };
  expect(rulesOf(files)).toEqual([
    'features/order/Delete.tsx uses the global class name “button”',
    'features/order/Delete.tsx uses the global class name “card”',
    'ui/Form.module.css styles a global class name',
  ]);
});

test('no two names differ in case alone', () => {
  const files = { 'ui/Form.tsx': '', 'ui/form.ts': '', 'ui/Form.module.css': '' };
  expect(rulesOf(files)).toEqual(['ui/Form.tsx and ui/form.ts differ in case alone']);
});

test('an import circle is named, lazy imports included', () => {
  const files = {
    'ui/a.ts': importing('./b'),
    'ui/b.ts': importing('./c'),
    'ui/c.ts': "const load = () => import('./a');",
  };
  expect(rulesOf(files)).toEqual(['Import circle: ui/a.ts → ui/b.ts → ui/c.ts → ui/a.ts']);
});

test('a file has at most 400 lines and a meaningful name', () => {
  const files = { 'ui/utils.ts': '', 'ui/long.ts': '\n'.repeat(400) };
  expect(rulesOf(files)).toEqual([
    'ui/utils.ts: “utils.ts” says nothing',
    'ui/long.ts has 401 lines, 400 are allowed: split it by verb',
  ]);
});

test('a form keeps its draft and says so, or is listed with a reason', () => {
  const files = {
    'features/order/Drafted.tsx': '<Form restored={restored}></Form>',
    'features/order/DraftedDialog.tsx': '<FormDialog {...formOf(save)}></FormDialog>',
    'features/order/Lossy.tsx': '<Form></Form>',
    'features/order/LossyDialog.tsx': '<FormDialog onSubmit={save}></FormDialog>',
    'features/order/LossyHook.ts': 'const form = useForm<Fields>({});\n',
    'features/auth/SignInForm.tsx': '<Form></Form>',
    'features/report/DaysForm.tsx': '<Form restored={restored}></Form>',
    'ui/Form.tsx': '<form></form>\n',
  };
  expect(rulesOf(files)).toEqual([
    'features/order/Lossy.tsx loses what is typed: use useDraftedForm, or say why not in WITHOUT_DRAFT',
    'features/order/LossyDialog.tsx loses what is typed: use useDraftedForm, or say why not in WITHOUT_DRAFT',
    'features/order/LossyHook.ts loses what is typed: use useDraftedForm, or say why not in WITHOUT_DRAFT',
    'features/report/DaysForm.tsx needs no entry in WITHOUT_DRAFT',
  ]);
});
