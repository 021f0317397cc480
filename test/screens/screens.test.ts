/**
 * Every command that prints, on terminals of 40, 80 and 160 columns. `CICTL_SCREENS=FOLDER` keeps what it
 * printed there, for a person to read.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHome, type Home } from '../support/home.ts';
import { codes, lines, wordsOf } from './lines.ts';
import { pipeline, profiles, refused } from './files.ts';
import { rowsLeft } from './painted.ts';
import { routes } from './scene.ts';
import { screenOf, type Screen } from './screen.ts';
import { startScene, type SceneService } from './scene/service.ts';

let home: Home;
let service: SceneService;

beforeAll(async () => {
  process.env['TZ'] = 'UTC';
  home = await createHome();
  service = await startScene(routes);
  await writeFile(join(home.cwd, 'pipeline.yml'), pipeline);
  await writeFile(join(home.cwd, 'refused.yml'), refused);
  await mkdir(home.configDir, { mode: 0o700 });
  await writeFile(join(home.configDir, 'profiles.json'), profiles(service.url), { mode: 0o600 });
});

afterAll(async () => {
  await service.close();
  await home.remove();
});

describe.each([40, 80, 160])('%i columns', (columns) => {
  test.each(Object.entries(lines))('%s', async (name, line) => {
    const screen = await screenOf(wordsOf(line), { columns, env: environment(), cwd: home.cwd });
    await keepForEyes(`${columns}-${name}`, asTyped(line, screen));
    const stdout = await rowsLeft(screen.stdout, columns);
    const text = stripVTControlCharacters(asTyped(line, { ...screen, stdout }));
    expect(screen.exitCode).toBe(codes[name] ?? 0);
    expect(text).not.toMatch(unprintable);
  });
});

/** What a service could paint over other rows with, or turn a line round. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069](?<![\n\t])/u;

function environment() {
  const { env } = home;
  const tokens = { CICTL_TOKEN: 'access-token', CICTL_AGENT_TOKEN: 'agent-token' };
  const place = { CICTL_BASE_URL: service.url, CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return { ...env, ...tokens, ...place, TERM: 'xterm-256color' };
}

/** Both streams and the code; addresses of this machine as they are in every run. */
function asTyped(line: string, { stdout, stderr, exitCode }: Screen): string {
  const parts = [`$ cictl ${line}\n`, stdout, stderr && `--- standard error\n${stderr}`];
  return `${parts.join('')}--- exit code ${exitCode}\n`
    .replaceAll(service.url, 'http://127.0.0.1:54321')
    .replaceAll(home.root, '/home/ada');
}

/** With `CICTL_SCREENS=FOLDER` each is written there with its colours, to be shown by `cat`. */
async function keepForEyes(name: string, text: string): Promise<void> {
  const folder = process.env['CICTL_SCREENS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}
