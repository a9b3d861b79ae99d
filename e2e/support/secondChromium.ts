/** `npm run pictures-elsewhere`: compares the pictures in a second version of Chromium, and shows that the comparison detects faults. */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** npm's package of a headless Chromium, with the digest that npm publishes for it. */
const PACKAGE = '@sparticuz/chromium@153.0.0';
const SHA512 =
  'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';

/** The browser in the user's cache, which holds it after the first run. */
async function secondChromium(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'visadesk', PACKAGE.replaceAll(/[@/]+/g, '-').slice(1));
  const path = join(folder, 'chromium');
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const unpacked = await mkdtemp(join(folder, 'unfinished-'));
  const packed = ['pack', PACKAGE, '--silent', '--pack-destination', unpacked];
  const name = execFileSync('npm', packed, { encoding: 'utf8' }).trim();
  const archive = join(unpacked, name);
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (digest !== SHA512) throw new Error(`${PACKAGE} has the digest ${digest}, not ${SHA512}`);
  execFileSync('tar', ['-xf', archive, '-C', unpacked]);
  const content = await readFile(join(unpacked, 'package/bin/chromium.br'));
  const program = join(unpacked, 'chromium');
  await writeFile(program, brotliDecompressSync(content));
  await chmod(program, 0o755);
  await rename(program, path);
  await rm(unpacked, { recursive: true });
  return path;
}

const browser = await secondChromium();
execFileSync(browser, ['--version', '--no-sandbox'], { stdio: 'inherit' });
const { status } = spawnSync('npm', ['run', 'pictures'], {
  cwd: resolve(import.meta.dirname, '..'),
  env: { ...process.env, VISADESK_CHROMIUM: browser, VISADESK_TEST_LONG: '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
