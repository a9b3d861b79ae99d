// Fastify and better-sqlite3, with the URLs and the answers of Visadesk, and neither sessions nor audit: a peer of `cargo xtask bench`.
//
// `node server.mjs DATABASE MEMBER` serves a SQLite file of Visadesk on a free port, by one process for each core, and prints where.

import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';

import Fastify from 'fastify';

import { prepare } from './details.mjs';
import { open } from './statements.mjs';

const [path, member] = process.argv.slice(2);

// The serialiser that Fastify makes from a schema is faster than JSON.stringify.
const text = { type: ['string', 'null'] };
const number = { type: ['integer', 'null'] };
const truth = { type: 'boolean' };
const object = (properties) => ({ type: 'object', properties });
const row = object({
  order_id: { type: 'integer' },
  order_number: { type: 'string' },
  process_status: { type: 'string' },
  processing_mode: { type: 'string' },
  full_name: { type: 'string' },
  contact_email_address: { type: 'string' },
  country_code: text,
  phone_number: text,
  nationality: text,
  created_at: text,
  updated_at: text,
  refund_date: text,
  processing_date: text,
  process_month: text,
  assign_to: text,
  missing_documents: number,
  mail_problem: text,
  papers_problem: text,
  papers_returned: truth,
  visa_problem: text,
  chargeback: { ...object({ respond_by: text, outcome: text }), nullable: true },
  allowed: object({ assign_to_me: truth, assign_to_others: truth, unassign: truth, delete: truth, restore: truth, refund: truth }),
});
const page = object({
  status: { type: 'integer' },
  message: { type: 'string' },
  data: { type: 'array', items: row },
  total: { type: 'integer' },
  more: truth,
  page: { type: 'integer' },
  limit: { type: 'integer' },
});
const schema = { response: { 200: page } };

function serve() {
  const orders = open(path, member);
  const details = prepare(orders.db);
  const app = Fastify({ logger: false });
  app.get('/healthz', () => 'ok');
  app.get('/api/admin/get-all-folder-count', () => orders.counts());
  app.get('/api/admin/get-orders-list/allOrder', { schema }, ({ query }) => {
    const limit = Number(query.limit);
    return orders.list((Number(query.page) - 1) * limit, limit);
  });
  app.post('/api/admin/search-order', { schema }, ({ body }) =>
    orders.search(body.searchVal.toLowerCase(), body.start, body.end - body.start),
  );
  app.get('/api/admin/get-orders-details/:id', ({ params }, reply) => details(Number(params.id)) ?? reply.code(404).send());
  app.put('/api/admin/assign-order-status', ({ body }) => {
    orders.assign([body.orderId].flat(), body.assignto);
    return { status: 1, message: 'Order has been assigned successfully' };
  });
  return app.listen({ host: '127.0.0.1', port: 0 });
}

if (cluster.isPrimary) {
  const workers = Array.from({ length: availableParallelism() }, () => cluster.fork());
  // All workers share the port that the first of them is given.
  const [{ port }] = await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('listening', resolve))));
  process.stdout.write(`ready at http://127.0.0.1:${port}\n`);
} else {
  await serve();
}
