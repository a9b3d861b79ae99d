/** A real SMTP server in place of the mail providers, and what it was given. */

import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { callbackify } from 'node:util';

import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

const ARRIVAL_LIMIT_MS = 20_000;

/** A mail as it arrived, and at whose door. */
export interface Received {
  /** The provider that it was handed to: each signs in with a name of its own. */
  provider: string;
  recipients: string[];
  mail: Email;
}

/** What the server has to say about the readers of mails. */
interface Mood {
  refusal: string | undefined;
}

export class Mailbox {
  private constructor(
    private readonly received: Received[],
    private readonly mood: Mood,
    private readonly server: SMTPServer,
  ) {}

  static async open(): Promise<Mailbox> {
    const received: Received[] = [];
    const mood: Mood = { refusal: undefined };
    const server = new SMTPServer({
      authMethods: ['PLAIN', 'LOGIN'],
      // The tests stand on one machine: what travels is not worth hiding.
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
      onRcptTo: (_address, _session, done) => {
        const { refusal } = mood;
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
    // A client that goes away in the middle is the client's matter.
    server.on('error', () => {});
    return new Mailbox(received, mood, server);
  }

  /** The address under which the product finds it, as one of its two providers. */
  url(provider: string): string {
    const { port } = this.server.server.address() as AddressInfo;
    return `smtp://${provider}:password@127.0.0.1:${port}`;
  }

  /** Waits until this many mails have arrived; answers the last of them. */
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

  /** From now on there is no such reader, in these words; without words there is again. */
  refuse(words?: string): void {
    this.mood.refusal = words;
  }

  close(): Promise<void> {
    return new Promise((done) => this.server.close(done));
  }
}
