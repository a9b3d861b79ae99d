/** The programs that the tests need: the product's binary and the browser. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/** The server's binary: from `VISADESK_BIN`, else what `cargo build` makes. */
export function binary(): string {
  const target = process.env['CARGO_TARGET_DIR'] ?? resolve(import.meta.dirname, '../../target');
  const path = process.env['VISADESK_BIN'] ?? join(target, 'debug', 'visadesk');
  if (!existsSync(path)) {
    throw new Error(`${path} is not there: run \`cargo build\`, or set VISADESK_BIN`);
  }
  return path;
}

/** The browser: from `VISADESK_CHROMIUM`, else the first known name on the search path. */
export function chromium(): string {
  const found =
    process.env['VISADESK_CHROMIUM'] ??
    program('chromium') ??
    program('chromium-browser') ??
    program('google-chrome');
  if (found === undefined) {
    throw new Error('Chromium is missing: install it, or set VISADESK_CHROMIUM');
  }
  return found;
}

/**
 * Chromium without what only a window needs, which takes a third less of the processor. Chromium itself where there is none, and where
 * one is chosen.
 */
export function headlessShell(): string {
  const isChosen = process.env['VISADESK_CHROMIUM'] !== undefined;
  return (isChosen ? undefined : program('chromium-headless-shell')) ?? chromium();
}

/** Firefox: the first known name on the search path. */
export function firefox(): string {
  const found = program('firefox-esr') ?? program('firefox');
  if (found === undefined) {
    throw new Error('Firefox is missing: install it, or leave the long form of the tests out');
  }
  return found;
}

/** The program of that name on the search path. */
function program(name: string): string | undefined {
  const dirs = (process.env['PATH'] ?? '').split(delimiter);
  return dirs.map((dir) => join(dir, name)).find(existsSync);
}

/** Where a server stores its data. */
export interface Place {
  dataDir: string;
  databaseUrl?: string;
  /** More of the environment of every program that works on this data. */
  env?: Record<string, string>;
}

/** Settings of a server. An undefined one has the product's own value, also where the tests have another. */
export type Settings = Record<string, string | undefined>;

/** The cheapest hashing of passwords, as in the server's own tests. `change-password.spec.ts` keeps the product's cost. */
const CHEAP_PASSWORDS: Settings = {
  VISADESK_PASSWORDS__MEMORY_KIB: '8',
  VISADESK_PASSWORDS__PASSES: '1',
};

/** Starts a command of the binary without the environment variables that could change its behaviour. */
export function start(place: Place, args: string[], env: Settings = {}): ChildProcess {
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('VISADESK_'));
  return spawn(binary(), args, {
    env: {
      ...Object.fromEntries(ours),
      VISADESK_DATA_DIR: place.dataDir,
      ...(place.databaseUrl === undefined ? {} : { VISADESK_DATABASE_URL: place.databaseUrl }),
      ...CHEAP_PASSWORDS,
      ...place.env,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end and returns its output. */
export async function run(place: Place, args: string[], input = ''): Promise<string> {
  const child = start(place, args);
  const ended = new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  // A command that reads no input may have ended by now; its exit code decides.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const [code, out, err] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)]);
  if (code !== 0) {
    throw new Error(`visadesk ${args.join(' ')} ended with ${code}:\n${out}${err}`);
  }
  return out;
}
