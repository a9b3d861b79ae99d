/**
 * What the track page costs a phone on a slow line: its first paints with the line and the processor really slowed down
 * (150 ms and 1.6 Mbit/s as in Lighthouse's slow 4G, CPU four times slower), and Lighthouse's own scores. Five runs each,
 * the medians beside their goals. A missed goal is printed, and is no failure: times belong to the machine and the hour.
 */

import { type Browser, chromium as playwright } from '@playwright/test';
import lighthouse from 'lighthouse';

import { chromium } from './binary.ts';
import { launchOptions } from './browser.ts';
import { freePort } from './port.ts';

const RUNS = 5;
const PAGE = '/track-order/MjAwMDAy';
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true };

const server = process.env['VISADESK_URL'];
if (server === undefined) {
  throw new Error('VISADESK_URL is not set: run `cargo xtask bench --web`');
}

const paints = await fiveTimes((browser) => paint(browser, server + PAGE));
const scores = await fiveTimes((_, port) => score(port, server + PAGE));

print('largest contentful paint, ms', picked(paints, 'largest'), 'at most 800', 0);
print('first contentful paint, ms', picked(paints, 'first'), '', 0);
print('layout shift', picked(paints, 'shift'), 'at most 0.02', 3);
print('Lighthouse, performance', picked(scores, 'performance'), 'at least 0.95', 2);
print('Lighthouse, accessibility', picked(scores, 'accessibility'), 'at least 0.95', 2);
print('Lighthouse, largest contentful paint as it simulates it, ms', picked(scores, 'lcp'), '', 0);

interface Paints {
  largest: number;
  first: number;
  shift: number;
}

interface Scores {
  performance: number;
  accessibility: number;
  lcp: number;
}

/** Measures in a browser that nothing else uses, whose tools listen at `port`. */
async function fiveTimes<Run>(
  measure: (browser: Browser, port: number) => Promise<Run>,
): Promise<Run[]> {
  const port = await freePort();
  const { args = [], ...options } = launchOptions(chromium());
  const browser = await playwright.launch({
    ...options,
    args: [...args, `--remote-debugging-port=${port}`],
  });
  const runs: Run[] = [];
  while (runs.length < RUNS) {
    runs.push(await measure(browser, port));
  }
  await browser.close();
  return runs;
}

/** Loads the page in a browser context of its own, with nothing kept from before. */
async function paint(browser: Browser, url: string): Promise<Paints> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', SLOW_4G);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(url, { waitUntil: 'load' });
  const paints = await page.evaluate(
    () =>
      new Promise<Paints>((done) => {
        const seen: Paints = { largest: 0, first: 0, shift: 0 };
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if (entry.entryType === 'largest-contentful-paint') seen.largest = entry.startTime;
            if (entry.name === 'first-contentful-paint') seen.first = entry.startTime;
            if (entry.entryType === 'layout-shift')
              seen.shift += (entry as unknown as { value: number }).value;
          }
        });
        for (const type of ['largest-contentful-paint', 'paint', 'layout-shift']) {
          observer.observe({ type, buffered: true });
        }
        setTimeout(() => done(seen), 2_000);
      }),
  );
  await context.close();
  return paints;
}

async function score(port: number, url: string, tries = 5): Promise<Scores> {
  const found = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility'],
  });
  if (!found) {
    throw new Error('Lighthouse gave no result');
  }
  const { audits, categories, runtimeError } = found.lhr;
  // On a busy machine the trace gets lost at times; Lighthouse then asks to be run again.
  if (runtimeError && tries > 1) {
    return score(port, url, tries - 1);
  }
  if (runtimeError) {
    throw new Error(runtimeError.message);
  }
  return {
    performance: categories['performance']?.score ?? Number.NaN,
    accessibility: categories['accessibility']?.score ?? Number.NaN,
    lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
  };
}

function picked<Run>(runs: Run[], key: keyof Run): number[] {
  return runs.map((run) => Number(run[key])).toSorted((a, b) => a - b);
}

/** Prints the median and, in brackets, the least and the most. */
function print(what: string, sorted: number[], goal: string, digits: number): void {
  const [median, least, most] = [sorted[Math.floor(RUNS / 2)]!, sorted[0]!, sorted.at(-1)!].map(
    (value) => value.toFixed(digits),
  );
  const aim = goal && `, goal ${goal}`;
  process.stdout.write(`${what}: ${median} (${least} to ${most})${aim}\n`);
}
