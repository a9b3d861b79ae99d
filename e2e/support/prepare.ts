/** Playwright's global setup. */

import { reportNotChecked } from './notChecked.ts';
import { fillTemplates, removeTemplates } from './template.ts';

/** Fills the templates. Returns what removes them after the tests. */
export default async function prepare() {
  await reportNotChecked();
  await fillTemplates();
  return removeTemplates;
}
