/** One running server over a database that no other server has. */

import type { ChildProcess } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

import PostalMime, { type Email } from 'postal-mime';

import { type Place, type Settings, run, start } from './binary.ts';
import { type KnownOrder, filledIn } from './orders.ts';
import { pdf } from './papers.ts';
import { freePort } from './port.ts';
import { PASSWORD, STAFF, type StaffType } from './staff.ts';
import { type Database, copyTemplate } from './template.ts';

const START_LIMIT_MS = 15_000;
const STOP_LIMIT_MS = 15_000;
const CALLS_AT_ONCE = 25;

/** An order by its id and the email of its application. */
export interface FoundOrder {
  orderId: number;
  email: string;
}

export class TestServer {
  private log = '';
  private readonly tokens = new Map<StaffType, Promise<string>>();
  private apiKey: Promise<string> | undefined;

  private constructor(
    readonly url: string,
    private readonly place: Place,
    private readonly server: ChildProcess,
    private readonly isShared: boolean,
  ) {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    }
  }

  /**
   * Starts the real binary on a free port with a fresh copy of the template and additional settings. Browsers reach it at `host`, a
   * name of this machine.
   */
  static async open(
    database: Database,
    settings: Settings = {},
    host = '127.0.0.1',
  ): Promise<TestServer> {
    return TestServer.openAt(await copyTemplate(database), settings, host);
  }

  /** Starts a server for many tests, which may only read. */
  static async openShared(database: Database): Promise<TestServer> {
    return TestServer.openAt(await copyTemplate(database), {}, '127.0.0.1', true);
  }

  /** Starts the real binary on a free port over the data at `place`, which it removes at the end. */
  static async openAt(
    place: Place,
    settings: Settings = {},
    host = '127.0.0.1',
    isShared = false,
  ): Promise<TestServer> {
    const port = await freePort();
    const listen = `127.0.0.1:${port}`;
    const url = `http://${host}:${port}`;
    const child = start(place, ['serve'], {
      VISADESK_LISTEN: listen,
      VISADESK_PUBLIC_URL: url,
      ...settings,
    });
    const server = new TestServer(url, place, child, isShared);
    await server.untilReady();
    return server;
  }

  /** Stops the server with SIGTERM, as an operator would, and returns its log. Fails if it does not stop cleanly. */
  async close(): Promise<string> {
    this.server.kill('SIGTERM');
    const stopped = await Promise.race([
      this.untilStopped(),
      pause(STOP_LIMIT_MS, 'late' as const, { ref: false }),
    ]);
    if (stopped === 'late') {
      this.server.kill('SIGKILL');
    }
    await rm(this.place.dataDir, { recursive: true, force: true });
    if (stopped !== 0) {
      throw new Error(`after SIGTERM the server ended with ${stopped}:\n${this.log}`);
    }
    return this.log;
  }

  /** Signs in over the API and returns the token. */
  async signIn(type: StaffType): Promise<string> {
    const answer = await fetch(`${this.url}/api/admin/admin-login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: STAFF[type].email, password: PASSWORD }),
    });
    const body = (await answer.json()) as { status: number; message: string; jwtToken: string };
    if (body.status !== 1) {
      throw new Error(`${type} cannot sign in: ${answer.status} ${body.message}`);
    }
    return body.jwtToken;
  }

  /** Calls the API as a member of this type. Fails unless the call succeeds. */
  async call(as: StaffType, method: string, path: string, body: object): Promise<void> {
    this.expectOwn();
    await this.send(method, path, { Authorization: await this.tokenOf(as) }, body);
  }

  /** Makes many calls as one member, some at a time. Fails unless all succeed. */
  async callMany(as: StaffType, method: string, path: string, bodies: object[]): Promise<void> {
    this.expectOwn();
    const headers = { Authorization: await this.tokenOf(as) };
    for (let first = 0; first < bodies.length; first += CALLS_AT_ONCE) {
      const some = bodies.slice(first, first + CALLS_AT_ONCE);
      await Promise.all(some.map((body) => this.send(method, path, headers, body)));
    }
  }

  /** Imports orders from a file while the server runs. */
  async importOrders(orders: KnownOrder[]): Promise<void> {
    this.expectOwn();
    const file = join(this.place.dataDir, 'import.ndjson');
    await writeFile(file, orders.map((order) => `${JSON.stringify(filledIn(order))}\n`).join(''));
    await run(this.place, ['import', file]);
  }

  /** Writes mails of an order's past into the database: nobody may send that many. On SQLite only. */
  addPastMails(orderId: number, count: number): void {
    this.expectOwn();
    const database = new DatabaseSync(join(this.place.dataDir, 'visadesk.db'), { timeout: 10_000 });
    const at = '2026-01-05 03:00:00';
    const add = database.prepare(
      `INSERT INTO mails (order_id, kind, recipient, provider, state, created_at, sent_at)
       VALUES (?, 'resend', ?, 'AWS', 'sent', '${at}', '${at}')`,
    );
    database.exec('BEGIN IMMEDIATE');
    for (let number = 1; number <= count; number += 1) {
      add.run(orderId, `mail-${number}@traveller.example`);
    }
    database.exec('COMMIT');
    database.close();
  }

  /** Sends an order the way the sales site does. */
  async takeIn(order: KnownOrder): Promise<void> {
    const key = await this.apiKeyNamed(order.external_reference);
    const { process_status: _, ...body } = filledIn(order) as Record<string, unknown>;
    await this.send('POST', 'intake/orders', { 'X-Api-Key': key }, body);
  }

  /** Adds a small PDF of each of these kinds to an imported order, the way the sales site does. */
  async addPapers(reference: string, ...kinds: string[]): Promise<void> {
    await this.addFiles(
      reference,
      kinds.map((kind) => [kind, pdf(`${kind} of ${reference}`)]),
    );
  }

  /** Adds these PDFs to an imported order by their kinds, the way the sales site does. */
  async addFiles(reference: string, files: [kind: string, content: Buffer][]): Promise<void> {
    const key = await this.apiKeyNamed(`papers-${reference}`);
    const email = `${reference.toLowerCase()}@traveller.example`;
    const { orderId } = await this.findOrder('allOrder', email);
    for (const [kind, content] of files) {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(content)]), `${kind}.pdf`);
      const url = `${this.url}/api/intake/orders/${orderId}/documents/${kind}`;
      const answer = await fetch(url, { method: 'POST', headers: { 'X-Api-Key': key }, body });
      if (!answer.ok) {
        throw new Error(`${kind} of ${reference}: ${answer.status} ${await answer.text()}`);
      }
    }
  }

  /** The first order that a search of a folder finds. */
  async findOrder(folderName: string, searchVal: string): Promise<FoundOrder> {
    const answer = await fetch(`${this.url}/api/admin/search-order`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: await this.tokenOf('Admin') },
      body: JSON.stringify({ start: 0, end: 1, searchVal, folderName }),
    });
    const { data } = (await answer.json()) as {
      data: { order_id: number; contact_email_address: string }[];
    };
    const { order_id, contact_email_address } = data[0]!;
    return { orderId: order_id, email: contact_email_address };
  }

  /** The mails written to files because no provider is configured, oldest first. */
  async mailsInFolder(): Promise<Email[]> {
    const folder = join(this.place.dataDir, 'mail');
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).toSorted();
    return Promise.all(
      files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
    );
  }

  /** The token of a session of the tests' own, apart from those of browsers. */
  private tokenOf(as: StaffType): Promise<string> {
    const token = this.tokens.get(as) ?? this.signIn(as);
    this.tokens.set(as, token);
    return token;
  }

  /** The API key of the sales site, which has the name of its first use. */
  private apiKeyNamed(name: string): Promise<string> {
    this.expectOwn();
    this.apiKey ??= run(this.place, ['api-key', 'add', name]).then((key) => key.trim());
    return this.apiKey;
  }

  /** Fails if other tests see what this one is about to change. */
  private expectOwn(): void {
    if (this.isShared) throw new Error('the server of a `readingTest` is shared: it may only read');
  }

  private async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object,
  ): Promise<void> {
    const answer = await fetch(`${this.url}/api/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    }
  }

  /** Waits for the database to be open. Until then each question is answered and logged with 503. */
  private async untilReady(): Promise<void> {
    const end = Date.now() + START_LIMIT_MS;
    while (Date.now() < end && this.server.exitCode === null) {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (answer?.ok) {
        return;
      }
      await pause(20);
    }
    this.server.kill('SIGKILL');
    throw new Error(`the server did not get ready:\n${this.log}`);
  }

  private untilStopped(): Promise<number | null> {
    const { server } = this;
    if (server.exitCode !== null || server.signalCode !== null) {
      return Promise.resolve(server.exitCode);
    }
    return new Promise((done) => server.once('exit', done));
  }
}
