/** A real S3 server over a folder of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { binary } from './binary.ts';

const BUCKET = 'visadesk';
const ACCESS_KEY = 'desk';
const SECRET_KEY = 'a secret of the tests';

export class ObjectStore {
  private constructor(
    /** What a server needs to keep its files here. */
    readonly settings: Record<string, string>,
    private readonly server: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts the S3 server that `cargo build --examples` makes. */
  static async open(): Promise<ObjectStore> {
    const program = join(dirname(binary()), 'examples', 'object_store');
    if (!existsSync(program)) {
      throw new Error(`${program} is not there: run \`cargo build --example object_store\``);
    }
    const folder = await mkdtemp(join(tmpdir(), 'visadesk-s3-'));
    const server = spawn(program, ['127.0.0.1:0', folder, BUCKET, ACCESS_KEY, SECRET_KEY], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [endpoint] = (await once(createInterface(server.stdout), 'line')) as [string];
    const settings = {
      VISADESK_FILES_URL: `s3://${BUCKET}`,
      AWS_ENDPOINT: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    };
    return new ObjectStore(settings, server, folder);
  }

  async close(): Promise<void> {
    const ended = once(this.server, 'exit');
    this.server.kill();
    await ended;
    await rm(this.folder, { recursive: true });
  }
}
