/** The one moment of the server of the pictures, by libfaketime. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A Friday morning at the agency. */
export const MOMENT = new Date('2026-11-20T03:00:00Z');

/** Where distributions install libraries: Arch and Fedora in these folders themselves, Debian in one for each architecture. */
const LIBRARIES = ['/usr/lib', '/usr/lib64'];

/** The environment of a program for which it is always `MOMENT`; undefined where libfaketime is not installed. */
export function fixedTime(): Record<string, string> | undefined {
  const library = LIBRARIES.filter(existsSync)
    .flatMap((folder) => ['.', readdirSync(folder)].flat().map((name) => join(folder, name)))
    .map((folder) => join(folder, 'faketime/libfaketime.so.1'))
    .find(existsSync);
  if (library === undefined) return undefined;
  return {
    LD_PRELOAD: library,
    FAKETIME: MOMENT.toISOString().slice(0, 19).replace('T', ' '),
    // Time limits and pauses pass as always.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TZ: 'UTC',
  };
}
