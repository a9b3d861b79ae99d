/** A seeded data folder, made once per run and copied for every test: a copy takes milliseconds, seeding takes seconds. */

import { randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';

import { type Place, run } from './binary.ts';
import { PASSWORD, STAFF } from './staff.ts';

/** The databases that the product supports. */
export type Database = 'sqlite' | 'postgres';

/** How many seeded orders the template has. */
export const SEEDED_ORDERS = 400;

const POSTGRES_TEMPLATE = 'browser_template';

/** Seeds one template per database. PostgreSQL needs `VISADESK_TEST_POSTGRES_URL` with the right to create databases. */
export async function fillTemplates(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'visadesk-e2e-'));
  process.env['VISADESK_E2E_HOME'] = home;
  await fill({ dataDir: join(home, 'sqlite') });
  if (postgresUrl() !== undefined) {
    await sql(`DROP DATABASE IF EXISTS ${POSTGRES_TEMPLATE}`);
    await sql(`CREATE DATABASE ${POSTGRES_TEMPLATE}`);
    await fill({ dataDir: join(home, 'postgres'), databaseUrl: databaseUrl(POSTGRES_TEMPLATE) });
  }
}

/** Removes the templates. */
export async function removeTemplates(): Promise<void> {
  await rm(home(), { recursive: true });
}

/** Copies the template for one test. */
export async function copyTemplate(database: Database): Promise<Place> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const dataDir = join(home(), name);
  if (database === 'postgres') {
    if (postgresUrl() === undefined) {
      throw new Error('VISADESK_TEST_POSTGRES_URL is not set: run `cargo xtask test --only e2e`');
    }
    await sql(`CREATE DATABASE ${name} TEMPLATE ${POSTGRES_TEMPLATE}`);
  }
  await cp(join(home(), database), dataDir, { recursive: true });
  return database === 'postgres' ? { dataDir, databaseUrl: databaseUrl(name) } : { dataDir };
}

/** A data folder of its own for a test that needs other orders. All programs on it have `env` in their environment. */
export async function seededPlace(orders: number, env: Record<string, string>): Promise<Place> {
  const place = { dataDir: join(home(), `test_${randomUUID()}`), env };
  await fill(place, orders);
  return place;
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
