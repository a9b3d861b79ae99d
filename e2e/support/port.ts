/** Ports for the servers of the tests. */

import { createServer } from 'node:net';

/** Below the range from which systems hand out ports, so that none is taken between the check and its use. */
const FIRST_PORT = 15_000;
const PORTS = 15_000;

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) {
      return port;
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
