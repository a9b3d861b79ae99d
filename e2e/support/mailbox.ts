/** A real SMTP server in place of the mail providers, and the mails it received. */

import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { callbackify } from 'node:util';

import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

const ARRIVAL_LIMIT_MS = 20_000;

/** A received mail. */
export interface Received {
  /** The provider it was sent through: each signs in with its own name. */
  provider: string;
  recipients: string[];
  mail: Email;
}

/** How the server treats recipients. */
interface RecipientPolicy {
  refusal: string | undefined;
}

export class Mailbox {
  private constructor(
    private readonly received: Received[],
    private readonly recipients: RecipientPolicy,
    private readonly server: SMTPServer,
  ) {}

  static async open(): Promise<Mailbox> {
    const received: Received[] = [];
    const policy: RecipientPolicy = { refusal: undefined };
    const server = new SMTPServer({
      authMethods: ['PLAIN', 'LOGIN'],
      // Client and server run on one machine: nothing needs encryption.
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
      onRcptTo: (_address, _session, done) => {
        const { refusal } = policy;
        done(refusal ? Object.assign(new Error(refusal), { responseCode: 550 }) : null);
      },
      onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
        const mail = await PostalMime.parse(await buffer(stream));
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ provider: String(session.user), recipients, mail });
      }),
    });
    await new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(0, '127.0.0.1', done);
    });
    // A client that disconnects early is not the server's fault.
    server.on('error', () => {});
    return new Mailbox(received, policy, server);
  }

  /** Its URL, as one of the two providers. */
  url(provider: string): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://${provider}:password@127.0.0.1:${port}`;
  }

  /** Waits until this many mails have arrived and returns the last of them. */
  async arrival(count: number): Promise<Received> {
    const end = Date.now() + ARRIVAL_LIMIT_MS;
    while (this.received.length < count) {
      if (Date.now() > end) {
        throw new Error(`${this.received.length} of ${count} mails arrived in time`);
      }
      await pause(50);
    }
    return this.received[count - 1]!;
  }

  /** Refuses every recipient with this answer from now on; accepts them again without one. */
  refuse(answer?: string): void {
    this.recipients.refusal = answer;
  }

  close(): Promise<void> {
    return new Promise((done) => this.server.close(done));
  }
}
