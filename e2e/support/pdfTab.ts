/** PDFs that open in a tab of their own. */

import { type Page, expect } from '@playwright/test';

/**
 * Does what opens a PDF in a new tab, and returns the address of the PDF. Chromium itself would show it, the headless shell saves it:
 * `pdf-viewer.spec.ts` looks at such tabs, and other tests only at what the tab receives.
 */
export async function openPdfTab(page: Page, open: () => Promise<void>): Promise<string> {
  const context = page.context();
  const [tab, response] = await Promise.all([
    context.waitForEvent('page'),
    context.waitForEvent('response', (it) => it.request().isNavigationRequest()),
    open(),
  ]);
  expect(response.headers()['content-type']).toBe('application/pdf');
  expect(response.headers()['content-disposition']).toMatch(/^inline; /);
  await tab.close();
  return response.url();
}
