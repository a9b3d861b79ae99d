/** A proxy that ends TLS in front of the server, as in production. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';

import { test as base } from './test.ts';

/** The address from which the proxy says that every request comes. */
export const CLIENT_ADDRESS = '203.0.113.24';

export class HttpsProxy {
  /** The URL of the server behind it. */
  target = '';

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** Listens on a free port with a new self-signed certificate. */
  static async open(): Promise<HttpsProxy> {
    const server = createServer(await selfSigned());
    // An idle connection that one side closes just as the other uses it again fails a request. The proxy closes none, and keeps none to the server.
    server.keepAliveTimeout = 0;
    await new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(0, '127.0.0.1', done);
    });
    const { port } = server.address() as AddressInfo;
    const proxy = new HttpsProxy(`https://127.0.0.1:${port}`, server);
    server.on('request', (incoming, outgoing) => {
      const headers = { ...incoming.headers, 'x-forwarded-for': CLIENT_ADDRESS };
      const { method, url } = incoming;
      const options = { method, headers, agent: false };
      const onward = request(new URL(url ?? '/', proxy.target), options, (answer) => {
        if (outgoing.destroyed) {
          answer.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, outgoing, () => undefined);
      });
      outgoing.on('close', () => onward.destroy());
      onward.on('error', () => outgoing.destroy());
      pipeline(incoming, onward, () => undefined);
    });
    return proxy;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }
}

interface ProxyFixtures {
  httpsProxy: HttpsProxy;
}

/** Playwright's `test` with the server behind a proxy; pages open at the proxy. */
export const test = base.extend<ProxyFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
  httpsProxy: async ({}, use) => {
    const proxy = await HttpsProxy.open();
    await use(proxy);
    await proxy.close();
  },

  settings: async ({ httpsProxy }, use) =>
    use({ VISADESK_PUBLIC_URL: httpsProxy.url, VISADESK_TRUSTED_PROXIES: '127.0.0.1' }),

  baseURL: async ({ httpsProxy, server }, use) => {
    httpsProxy.target = server.url;
    await use(httpsProxy.url);
  },
});

async function selfSigned(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'visadesk-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...subject, ...files]);
  const pair = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return pair;
}
