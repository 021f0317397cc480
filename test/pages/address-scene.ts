/** A built-in service with everything that has a URL. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { createHome, type Home } from '../support/home.ts';

export interface Scene {
  readonly home: Home;
  readonly url: string;
  readonly token: string;
  readonly adminToken: string;
  /** What the tool printed on both streams during setup. */
  readonly printed: readonly string[];
  /** Runs a command line; returns its output. */
  readonly type: (words: readonly string[]) => Promise<string>;
  readonly remove: () => Promise<void>;
}

const steps = `
steps:
  - { key: unit, command: 'cictl annotate lint --context lint --style warning', artifact_paths: '*.txt' }
  - { key: broken, command: 'echo no; exit 3', soft_fail: true, retry: { automatic: { limit: 1 } } }
  - { key: many, command: 'true', parallelism: 2 }
  - group: Set
    key: set
    steps: [{ key: deep, command: 'true', if: 'build.branch == "none"' }]
  - { trigger: extra, key: trigger }
  - wait
  - { block: Go, key: go, fields: [{ text: Why, key: why, required: false }] }
  - { key: last, command: 'true' }
`;

export async function createScene(): Promise<Scene> {
  const home = await createHome();
  const printed: string[] = [];
  const type = async (words: readonly string[]): Promise<string> => {
    const { stdout, stderr, exitCode } = await cictl(words, { home });
    // Exit codes for the outcome of a build do not mean that the command failed.
    if (![0, 1, 3, 4].includes(exitCode)) throw new Error(`${words.join(' ')}: ${stderr}`);
    printed.push(stdout, stderr);
    return stdout;
  };
  const local = (...words: string[]) => type(['local', ...words]);
  const [demo, extra] = [
    await pipelineIn(home, 'demo', steps),
    await pipelineIn(home, 'extra', one),
  ];
  // Jobs of several builds use it at the same time, from the same directory.
  await writeFile(join(demo, 'a.txt'), 'x\n');
  const url = (await local('up')).trim();
  await local('pipeline', 'add', demo);
  await local('pipeline', 'add', extra);
  const create = ['builds', 'create', '-p', 'demo', '-c', 'HEAD', '-b', 'main'];
  await type([...create, '-m', 'first', '--watch']);
  await type([...create, '-m', 'second', '--watch']);
  const state = await readFile(join(home.dataDir, 'service.json'), 'utf8');
  const { adminToken, token } = JSON.parse(state) as { adminToken: string; token: string };
  await addEmoji(url, adminToken);
  const remove = async (): Promise<void> => {
    await cictl(['local', 'down'], { home });
    await home.remove();
  };
  return { home, url, token, adminToken, printed, type, remove };
}

const one = "steps: [{ command: 'true' }]";

async function addEmoji(url: string, adminToken: string): Promise<void> {
  const picture = `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`;
  const { status } = await fetch(`${url}/local/v1/organizations/local/emojis`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}` },
    body: JSON.stringify({ name: 'own+1', url: picture, aliases: ['mine'] }),
  });
  if (status !== 201) throw new Error(`no emoji was added: ${status}`);
}
