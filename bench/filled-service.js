/**
 * A service with a filled data directory in its own process, which reports its CPU time: `node
 * filled-service.js FOLDER [SLOTS]`. Jobs never finish.
 */
import { argv, cpuUsage, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startService } from '../dist/service.js';
import { cleanEnv } from './pair.js';

const program = fileURLToPath(import.meta.url);

/**
 * @param {string} dataDir
 * @param {string[]} prefix words before the command, such as `taskset -c 0,1`
 * @param {number} slots
 */
export async function startFilled(dataDir, prefix = [], slots = 1) {
  const [command, ...args] = [...prefix, process.execPath, program, dataDir, String(slots)];
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: cleanEnv(),
  });
  const ask = async (question) => {
    const reply = once(child, 'message');
    if (question !== undefined) child.send(question);
    const [message] = await reply;
    return message;
  };
  const access = await ask();
  return {
    ...access,
    pid: child.pid,
    /** CPU time of all threads since the start, in milliseconds. */
    cpu: () => ask('cpu'),
    close: async () => {
      child.send('close');
      await once(child, 'exit');
    },
  };
}

if (argv[1] === program) {
  const runner = { start: () => ({ done: new Promise(() => undefined), cancel() {}, kill() {} }) };
  const service = await startService({ dataDir: argv[2], runner, slots: Number(argv[3]) });
  const { url, token, agentToken, adminToken } = service;
  process.send({ url, token, agentToken, adminToken });
  process.on('message', (question) => {
    if (question === 'close') exit();
    const { user, system } = cpuUsage();
    process.send((user + system) / 1000);
  });
}
