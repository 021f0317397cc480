/** A service in its own process that is repeatedly killed and restarted with the same URL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { startService } from '../../dist/service.js';
import { cleanEnv } from '../pair.js';

const program = fileURLToPath(import.meta.url);

/**
 * @param {string} dataDir
 * @param {object} options of the service
 */
export async function startKilledService(dataDir, options = {}) {
  let service = await start({ ...options, dataDir, slots: 0 });
  const { port } = service.access;
  return {
    access: service.access,
    kill: async () => {
      const exited = once(service.child, 'exit');
      service.child.kill('SIGKILL');
      await exited;
    },
    start: async () => {
      service = await start({ ...options, dataDir, slots: 0, port });
    },
  };
}

async function start(options) {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: cleanEnv(),
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the service exited with ${code}`);
  });
  ended.catch(() => undefined);
  const [access] = await Promise.race([once(child, 'message'), ended]);
  return { child, access };
}

if (argv[1] === program) {
  // The parent process has exited.
  process.on('disconnect', () => exit());
  const service = await startService(JSON.parse(argv[2]));
  const { url, port, token, agentToken, adminToken } = service;
  process.send({ url, port, token, agentToken, adminToken });
}
