/** The thread in which jq runs where it may run long: texts in, results out. */
import { parentPort } from 'node:worker_threads';
import { jqEngine } from './jq/engine.ts';
import type { JqJob, JqReply } from './jq/thread.ts';

parentPort?.on('message', (job: JqJob) => {
  void reply(job).then((message) => parentPort?.postMessage(message));
});

async function reply({ input, program, flags }: JqJob): Promise<JqReply> {
  try {
    return { ended: (await jqEngine()).raw(input, program, [...flags]) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
