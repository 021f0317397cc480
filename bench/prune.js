/**
 * `local prune` of 99,000 of 100,000 builds: CPU time, file size, and the delay of other requests.
 */
import { cp, mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { callService } from './call-service.js';
import { startFilled } from './filled-service.js';
import { filled } from './service-size.js';
import { startWatcher } from './watcher.js';

/** @param {string} folder for the data of the service, 1.3 GB */
export function pruneRows(folder) {
  let measured;
  const facts = () => (measured ??= prune(folder));
  const rows = [
    { name: 'CPU of prune of 99000 builds', fact: 'cpu', most: 60, note: ' s' },
    { name: 'size of the database after prune', fact: 'size', most: 100, note: ' MB' },
    { name: 'waiting for prune', fact: 'wait', most: 200, note: ' ms' },
  ];
  return {
    unit: '',
    rows: rows.map(({ name, fact, most, note }) => ({
      ...{ name, against: 'the bound', goal: 'at most 1' },
      run: async () => {
        const ours = (await facts())[fact];
        return { ours, theirs: most, ratio: ours / most, note };
      },
    })),
    close: () => undefined,
  };
}

async function prune(folder) {
  const dataDir = await mkdtemp(join(folder, 'prune-'));
  const source = await filled(env.CICTL_BENCH_STORES ?? folder, 100_000);
  await cp(source, dataDir, { recursive: true, dereference: true });
  const service = await startFilled(dataDir);
  const watcher = await startWatcher(service);
  try {
    const from = await service.cpu();
    await watcher.longest();
    for (let more = true; more;)
      ({ more } = await callService(service)('POST', '/local/v1/prune', { keep: '500' }));
    const { work } = await watcher.longest();
    const cpu = ((await service.cpu()) - from) / 1000;
    const { size } = await stat(join(dataDir, 'service.db'));
    return { cpu, size: size / 1e6, wait: work };
  } finally {
    watcher.close();
    await service.close();
  }
}
