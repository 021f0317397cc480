import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../support/home.ts';
import { stateOf } from './scene/local.ts';

/** Creates pipelines for `run --plan`, profiles, and the state of a built-in service at `url`. */
export async function addFiles({ cwd, configDir, dataDir }: Home, url: string): Promise<void> {
  await writeFile(join(cwd, 'pipeline.yml'), pipeline);
  await writeFile(join(cwd, 'refused.yml'), refused);
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(join(dataDir, 'service.json'), stateOf(url), { mode: 0o600 });
  await mkdir(configDir, { mode: 0o700 });
  await writeFile(join(configDir, 'profiles.json'), profiles(url), { mode: 0o600 });
}

const pipeline = `
steps:
  - { label: ':pipeline: Upload', key: upload, command: make pipeline }
  - label: 'Unit tests %N/%t'
    key: unit
    command: npm test
    parallelism: 2
    depends_on: upload
  - { label: '結合テスト（決済）, with a name that is longer than a narrow screen', command: make integration }
  - wait
  - { block: 'Release to production?', key: gate }
  - { label: ':rocket: Deploy', command: make deploy, if: 'build.branch == "main"' }
  - label: 'On Node {{matrix}}'
    command: npm test
    matrix: ['22', '24']
    agents: { queue: large }
`;

const refused = `
steps:
  - { label: One, comand: make }
  - { label: Two, command: make, depends_on: nothing-that-is-there }
`;

/** Two profiles, the first of them current. */
const profiles = (url: string): string =>
  JSON.stringify({
    current: 'work',
    profiles: {
      work: { baseUrl: url, agentUrl: url, graphqlUrl: url, token: 'hush-hush-token', org: 'acme' },
      'a-profile-with-a-long-name': { baseUrl: 'https://ci.example.org/api', pipeline: 'web' },
    },
  });
