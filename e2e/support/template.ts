/** Seeded data folders, made once per run and copied for every test: a copy takes milliseconds, seeding takes seconds. */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { type Place, run } from './binary.ts';
import { fixedTime } from './fixedTime.ts';
import { PASSWORD, STAFF } from './staff.ts';

/** The databases that the product supports. */
export type Database = 'sqlite' | 'postgres';

/** How many seeded orders the template has. */
export const SEEDED_ORDERS = 400;

/** How many seeded orders the pictures of the screens show. */
const PICTURED_ORDERS = 200;

const POSTGRES_TEMPLATE = 'browser_template';
/** The folder of stored files in a data folder. */
const STORED_FILES = 'files';

/** Seeds all templates at once. PostgreSQL needs `VISADESK_TEST_POSTGRES_URL` with the right to create databases. */
export async function fillTemplates(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'visadesk-e2e-'));
  process.env['VISADESK_E2E_HOME'] = home;
  await Promise.all([
    fill({ dataDir: join(home, 'sqlite') }),
    fill({ dataDir: join(home, 'pictures'), env: fixedTime() ?? {} }, PICTURED_ORDERS),
    postgresUrl() === undefined ? undefined : fillPostgres(home),
  ]);
}

async function fillPostgres(home: string): Promise<void> {
  await sql(`DROP DATABASE IF EXISTS ${POSTGRES_TEMPLATE}`);
  await sql(`CREATE DATABASE ${POSTGRES_TEMPLATE}`);
  await fill({ dataDir: join(home, 'postgres'), databaseUrl: databaseUrl(POSTGRES_TEMPLATE) });
}

/** Removes the templates. */
export async function removeTemplates(): Promise<void> {
  await rm(home(), { recursive: true });
}

/** Copies the template for one test. */
export async function copyTemplate(database: Database): Promise<Place> {
  const name = nameOfCopy();
  const dataDir = join(home(), name);
  if (database === 'postgres') {
    if (postgresUrl() === undefined) {
      throw new Error('VISADESK_TEST_POSTGRES_URL is not set: run `cargo xtask test --only e2e`');
    }
    await sql(`CREATE DATABASE ${name} TEMPLATE ${POSTGRES_TEMPLATE} STRATEGY FILE_COPY`);
  }
  await copyFolder(join(home(), database), dataDir);
  return database === 'postgres' ? { dataDir, databaseUrl: databaseUrl(name) } : { dataDir };
}

/** Copies the template of the pictures. All programs on it are at the moment of the pictures. */
export async function copyPictured(): Promise<Place> {
  const dataDir = join(home(), nameOfCopy());
  await copyFolder(join(home(), 'pictures'), dataDir);
  return { dataDir, env: fixedTime() ?? {} };
}

const nameOfCopy = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** Copies a data folder. Stored files are linked: the server writes each once, under a new name, and never changes it. */
async function copyFolder(from: string, to: string, isStored = false): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) {
        return copyFolder(source, copy, isStored || entry.name === STORED_FILES);
      }
      return isStored ? link(source, copy) : copyFile(source, copy, constants.COPYFILE_FICLONE);
    }),
  );
}

async function fill(place: Place, orders = SEEDED_ORDERS): Promise<void> {
  await mkdir(place.dataDir);
  await run(place, ['migrate']);
  for (const [type, { name, email }] of Object.entries(STAFF)) {
    await run(
      place,
      ['staff', 'add', '--name', name, '--email', email, '--type', type, '--password-stdin'],
      PASSWORD,
    );
  }
  await run(place, ['seed', '--orders', String(orders), '--seed', '1']);
}

function home(): string {
  const home = process.env['VISADESK_E2E_HOME'];
  if (home === undefined) {
    throw new Error('the global setup did not run');
  }
  return home;
}

function postgresUrl(): string | undefined {
  return process.env['VISADESK_TEST_POSTGRES_URL'];
}

function databaseUrl(name: string): string {
  const url = new URL(postgresUrl() ?? '');
  url.pathname = name;
  return url.href;
}

async function sql(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl() });
  await client.connect();
  await client.query(statement);
  await client.end();
}
