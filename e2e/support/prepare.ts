/** Playwright's global setup. */

import { fillTemplates, removeTemplates } from './template.ts';

/** Fills the templates. Returns what removes them after the tests. */
export default async function prepare() {
  await fillTemplates();
  return removeTemplates;
}
