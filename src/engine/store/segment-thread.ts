/** Entry of the writing thread. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SegmentWriterOptions } from './segment-writer.ts';
import { serveWriter, type WriterRequest } from './writer-channel.ts';

if (!parentPort) throw new Error('This file is started by the body store as a thread.');

const port = parentPort;
const answer = serveWriter(workerData as SegmentWriterOptions);

port.on('message', (request: WriterRequest) => {
  const reply = answer(request);
  port.postMessage(reply, reply.frame ? [reply.frame] : []);
});
port.postMessage('ready');
