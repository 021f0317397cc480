/** Real agents on a network that loses, delays and repeats their requests. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startProxy, type Fate } from '../../bench/agents/proxy.js';
import { eachAgent } from './each-agent.ts';

const script = `echo run >> "$RUNS"; for line in {0..9}; do echo "line $line"; sleep 0.3; done\n`;
const lines = [...Array(10).keys()].map((line) => `line ${line}`);
const fates: readonly Fate[] = ['repeated', 50, 'unheard', undefined, 'lost', 'repeated'];

eachAgent(
  'on a network that loses, delays and repeats, each job runs once with a complete log',
  async (scene) => {
    const proxy = await startProxy(scene.url, fateOf());
    const runs = join(scene.home.root, 'runs');
    await scene.pipeline(
      `  - { key: one, command: bash work.sh, env: { RUNS: ${runs} } }
  - { key: two, command: bash work.sh, env: { RUNS: ${runs} } }`,
      { 'work.sh': script },
    );
    for (const name of ['a', 'b']) scene.agent({ name, endpoint: `${proxy.url}/v3` });
    const number = await scene.create();
    const build = await scene.settled(number).finally(() => {
      proxy.close();
    });
    expect(build.state).toBe('passed');
    for (const key of ['one', 'two']) {
      const log = await scene.log(number, key);
      expect(log.split('\n').filter((line) => /^line \d$/.test(line))).toEqual(lines);
    }
    expect(await readFile(runs, 'utf8')).toBe('run\nrun\n');
    expect(Object.keys(proxy.counts).sort()).toEqual(['late', 'lost', 'repeated', 'unheard']);
  },
);

/**
 * Agents retry most requests only after five seconds or more. So only pings, logs and ends meet
 * every fault in turn; other requests meet those that cost no time.
 */
function fateOf(): (method: string, path: string) => Fate {
  let quick = 0;
  let other = 0;
  return (_method, path) => {
    if (/\/(?:ping|chunks|finish|heartbeat)(?:$|\?)/.test(path))
      return fates[quick++ % fates.length];
    return other++ % 3 === 0 ? 'repeated' : 50;
  };
}
