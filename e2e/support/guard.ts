/** Faults that no page may have in any test. */

import type { BrowserContext, Page } from '@playwright/test';

/** Watches every page of a context. The returned list of faults must be empty at the end. */
export async function watch(context: BrowserContext): Promise<string[]> {
  const faults: string[] = [];
  await context.exposeBinding('reportViolation', (_, violation: string) =>
    faults.push(`CSP: ${violation}`),
  );
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as {
        reportViolation: (violation: string) => void;
      };
      reportViolation(
        `${event.violatedDirective} refused ${event.blockedURI} ${event.sourceFile ?? ''}`,
      );
    });
  });
  context.on('page', (page) => watchPage(page, faults));
  return faults;
}

/** The calls that change nothing another test can see, although they are no GET. */
const READING = new Set([
  'admin/admin-login',
  'admin/defence-pack-details',
  'admin/get-country-order-list',
  'admin/get-processed-by-count',
  'admin/presence',
  'admin/search-order',
  'front/get-download-history',
  'front/track-order',
]);

/** Adds every call of a context that may change data to the list of faults. Presences would show in the next test: they are not sent. */
export async function watchForChanges(context: BrowserContext, faults: string[]): Promise<void> {
  await context.route('**/api/admin/presence', (route) =>
    route.fulfill({ json: { status: 1, message: '' } }),
  );
  context.on('request', (request) => {
    const path = new URL(request.url()).pathname.replace(/^\/api\//, '');
    const isChange = !['GET', 'HEAD'].includes(request.method()) && !READING.has(path);
    if (isChange) faults.push(`a test that only reads sent ${request.method()} ${path}`);
  });
}

function watchPage(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // The policy also blocks what Chromium adds around a file. The file itself is still shown.
    const isOurs = !message.location().url.includes('/uploads/');
    if (message.type() === 'error' && isOurs && !isRefusal(message.text())) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('response', (response) => {
    if (response.status() >= 500) {
      faults.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
    }
  });
}

/**
 * Chromium logs every 4xx response, and those are part of the product's work. It also logs requests made while a test
 * has cut the connection, and the test's own script where a file or mail allows none.
 */
function isRefusal(line: string): boolean {
  return [
    /^Failed to load resource: the server responded with a status of 4\d\d/,
    /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
    /^Blocked script execution in '[^']+\/uploads\/[^']+' because the document's frame is sandboxed/,
  ].some((refusal) => refusal.test(line));
}
