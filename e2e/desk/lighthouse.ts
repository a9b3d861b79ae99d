/**
 * Measures the track page as Lighthouse does for a phone (slow 4G, CPU four times slower), five times, and prints the
 * medians beside their goals. A missed goal is printed, and is no failure: times belong to the machine and the hour.
 */

import { createServer } from 'node:net';

import { chromium as playwright } from '@playwright/test';
import lighthouse from 'lighthouse';

import { chromium } from './binary.ts';

const RUNS = 5;
const PAGE = '/track-order/MjAwMDAy';

const server = process.env['VISADESK_URL'];
if (server === undefined) {
  throw new Error('VISADESK_URL is not set: run `cargo xtask bench --web`');
}

const port = await freePort();
const root = process.getuid?.() === 0;
const browser = await playwright.launch({
  executablePath: chromium(),
  args: [`--remote-debugging-port=${port}`, ...(root ? ['--no-sandbox'] : [])],
});
const runs: Measured[] = [];
for (let run = 0; run < RUNS; run++) {
  runs.push(await measure(server + PAGE));
}
await browser.close();

print('performance', 'performance', 'at least 0.95', 2);
print('accessibility', 'accessibility', 'at least 0.95', 2);
print('largest contentful paint, ms', 'lcp', 'at most 800', 0);
print('first contentful paint, ms', 'fcp', '', 0);
print('total blocking time, ms', 'tbt', '', 0);
print('cumulative layout shift', 'cls', 'at most 0.02', 3);

interface Measured {
  performance: number;
  accessibility: number;
  lcp: number;
  fcp: number;
  tbt: number;
  cls: number;
}

async function measure(url: string): Promise<Measured> {
  const found = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility'],
  });
  if (!found) {
    throw new Error('Lighthouse gave no result');
  }
  const { audits, categories, runtimeError } = found.lhr;
  if (runtimeError) {
    throw new Error(runtimeError.message);
  }
  const score = (name: string) => categories[name]?.score ?? Number.NaN;
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    lcp: value('largest-contentful-paint'),
    fcp: value('first-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
  };
}

function print(what: string, key: keyof Measured, goal: string, digits: number): void {
  const values = runs.map((run) => run[key]).toSorted((a, b) => a - b);
  const [least, median, most] = [values[0]!, values[Math.floor(RUNS / 2)]!, values.at(-1)!];
  const shown = [median, least, most].map((value) => value.toFixed(digits));
  process.stdout.write(
    `${what}: ${shown[0]} (${shown[1]} to ${shown[2]})${goal && `, goal ${goal}`}\n`,
  );
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? done(address.port) : failed(new Error('no port')),
      );
    });
  });
}
