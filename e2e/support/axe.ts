/** Axe in a page, which it enters once: its functions are then compiled, and it is as large as the app. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { Page } from '@playwright/test';
import type axe from 'axe-core';

const SOURCE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Frames that allow no scripts, in which axe cannot run. A screen has no others. */
const SANDBOXED = 'iframe[sandbox]';

/** A violated rule, and where. */
export interface Violation {
  id: string;
  help: string;
  where: string[];
}

/** The violations of these rules on the screen as it is now. */
export async function violationsOf(page: Page, rules: axe.RunOnly): Promise<Violation[]> {
  const found = await page.evaluate(run, { rules, sandboxed: SANDBOXED });
  if (found !== undefined) return found;
  await page.evaluate(await readFile(SOURCE, 'utf8'));
  return (await page.evaluate(run, { rules, sandboxed: SANDBOXED }))!;
}

/** The violations, or undefined if axe is not in the page. Runs in the page. */
async function run({ rules, sandboxed }: { rules: axe.RunOnly; sandboxed: string }) {
  const { axe: inPage } = window as unknown as { axe?: typeof axe };
  if (inPage === undefined) return undefined;
  const others = document.querySelectorAll('iframe:not([sandbox]), frame, object, embed');
  if (others.length > 0) throw new Error('axe does not look into the frames of this screen');
  const { violations } = await inPage.run(
    { exclude: [sandboxed] },
    { runOnly: rules, resultTypes: ['violations'], iframes: false },
  );
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(
      ({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  }));
}
