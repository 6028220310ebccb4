/** The least a Fastify server can do: one route, one small object. What a cheap answer of ours is compared with. */
import Fastify from 'fastify';

const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
process.stdout.write(
  `${JSON.stringify({ event: 'listening', url: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`,
);
process.on('SIGTERM', () => app.close());
