/**
 * Every command that prints, on terminals of 40, 80 and 160 columns. `CICTL_SCREENS=FOLDER` keeps what it
 * printed there, for a person to read.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useHome, type Home } from '../support/home.ts';
import { codes, lines, wordsOf } from './lines.ts';
import { addFiles } from './files.ts';
import { rowsLeft } from './painted.ts';
import { routes } from './scene.ts';
import { screenOf, type Screen } from './screen.ts';
import { startScene, type SceneService } from './scene/service.ts';

let service: SceneService;

beforeAll(async () => {
  process.env['TZ'] = 'UTC';
  service = await startScene(routes);
});

afterAll(() => service.close());

describe.each([40, 80, 160])('%i columns', (columns) => {
  test.each(Object.entries(lines))('%s', async (name, line) => {
    const home = await useHome();
    await addFiles(home, service.url);
    const [typed = '', waits] = line.split(' ^C after ');
    const screen = await screenOf(wordsOf(typed), {
      ...{ columns, env: environment(home), cwd: home.cwd },
      ...(waits !== undefined && { waits: Number(waits) }),
    });
    await keepForEyes(`${columns}-${name}`, asTyped(line, screen));
    const stdout = await rowsLeft(screen.stdout, columns);
    const text = stripVTControlCharacters(asTyped(line, { ...screen, stdout }));
    expect(screen.exitCode).toBe(codes[name] ?? 0);
    expect(text).not.toMatch(unprintable);
  });
});

/** What a service could paint over other rows with, or turn a line round. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069](?<![\n\t])/u;

function environment({ env }: Home) {
  const tokens = { CICTL_TOKEN: 'access-token', CICTL_AGENT_TOKEN: 'agent-token' };
  const place = { CICTL_BASE_URL: service.url, CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return { ...env, ...tokens, ...place, TERM: 'xterm-256color' };
}

/** Both streams and the code; addresses of this machine as they are in every run. */
function asTyped(line: string, { stdout, stderr, exitCode }: Screen): string {
  const parts = [`$ cictl ${line}\n`, stdout, stderr && `--- standard error\n${stderr}`];
  return `${parts.join('')}--- exit code ${exitCode}\n`.replaceAll(
    service.url,
    'http://127.0.0.1:54321',
  );
}

/** With `CICTL_SCREENS=FOLDER` each is written there with its colours, to be shown by `cat`. */
async function keepForEyes(name: string, text: string): Promise<void> {
  const folder = process.env['CICTL_SCREENS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}
