/** The thread for jq programs that may run for a long time. */
import { parentPort } from 'node:worker_threads';
import { loadJq, type Jq } from 'jq-wasm';
import type { JqJob, JqReply } from './jq/thread.ts';

let engine: Promise<Jq> | undefined;

parentPort?.on('message', (job: JqJob) => {
  void reply(job).then((message) => parentPort?.postMessage(message));
});

async function reply({ input, program, flags }: JqJob): Promise<JqReply> {
  try {
    return { output: (await (engine ??= loadJq())).raw(input, program, [...flags]) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
