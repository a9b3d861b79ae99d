/** Playwright's reporter of how long each test took: `test-results/times.json`, the slowest first. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FullConfig, Reporter, TestCase, TestResult } from '@playwright/test/reporter';

export default class Times implements Reporter {
  private readonly tests: { title: string; seconds: number }[] = [];
  private folder = 'test-results';

  onBegin(config: FullConfig): void {
    this.folder = config.projects[0]?.outputDir ?? this.folder;
  }

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    const [, project, ...names] = test.titlePath();
    const title = [`[${project}]`, ...names].join(' › ');
    this.tests.push({ title, seconds: Math.round(duration / 100) / 10 });
  }

  async onEnd(): Promise<void> {
    const slowest = this.tests.toSorted((one, other) => other.seconds - one.seconds);
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, 'times.json'), `${JSON.stringify(slowest, null, 2)}\n`);
  }
}
