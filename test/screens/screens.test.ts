/**
 * Compares every command's output on terminals with 40, 80 and 160 columns to stored files.
 * `CICTL_TEST_FULL=1 npx vitest run test/screens -u` updates the files, for review.
 * `CICTL_SCREENS=DIRECTORY` writes the screens there with their colors.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { useHome, type Home } from '../support/home.ts';
import { codes, data, lines, wordsOf } from './lines.ts';
import { addFiles } from './files.ts';
import { rowsLeft } from './painted.ts';
import { routes } from './scene.ts';
import { screenOf, type Screen } from './screen.ts';
import { startScene, type SceneService } from './scene/service.ts';
import { sampled } from '../support/full.ts';

let service: SceneService;

beforeAll(async () => {
  process.env['TZ'] = 'UTC';
  service = await startScene(routes);
});

afterAll(() => service.close());

describe.each([40, 80, 160])('%i columns', (columns) => {
  sampled.each(Object.entries(lines))('%s', async (name, line) => {
    const home = await useHome();
    await addFiles(home, service.url);
    const [typed = '', waits] = line.split(' ^C after ');
    const screen = await screenOf(wordsOf(typed), {
      ...{ columns, env: environment(home), cwd: home.cwd },
      ...(waits !== undefined && { waits: Number(waits) }),
    });
    await keepForEyes(`${columns}-${name}`, asTyped(line, screen));
    const stdout = await rowsLeft(screen.stdout, columns);
    // Sentences are not wrapped by the tool; the terminal wraps them.
    const stderr = await rowsLeft(screen.stderr, 1000);
    const text = stripVTControlCharacters(asTyped(line, { ...screen, stdout, stderr }));
    expect(screen.exitCode).toBe(codes[name] ?? 0);
    expect(text).not.toMatch(unprintable);
    expect(screen.stdout + screen.stderr).not.toMatch(hardToRead);
    if (!data.has(name)) expect(badRows(stdout, columns)).toEqual([]);
    await expect(text).toMatchFileSnapshot(join(String(columns), `${name}.txt`));
  });
});

/** Rows that end in spaces, or are too wide although they contain several words. */
const badRows = (text: string, columns: number): string[] =>
  text.split('\n').filter((row) => {
    const isOneWord = /^(?:\S+ {2,}|\s*)\S+$/.test(row) || /https?:\/\/\S+$/.test(row);
    return / $/.test(row) || (stringWidth(row) > columns && !isOneWord);
  });

/**
 * Yellow is unreadable on white, and blue on black. Logs have their own colors, but neither of
 * these here.
 */
const hardToRead = /\x1b\[(?:\d+;)*(?:[39][34]|10[34]|4[34])m/;

/** Characters with which a service could overwrite other rows or reverse a line. */
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069](?<![\n\t])/u;

function environment({ env }: Home) {
  const tokens = { CICTL_TOKEN: 'access-token', CICTL_AGENT_TOKEN: 'agent-token' };
  const place = { CICTL_BASE_URL: service.url, CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return { ...env, ...tokens, ...place, TERM: 'xterm-256color' };
}

/** Both streams and the exit code; URLs of this machine are normalized. */
function asTyped(line: string, { stdout, stderr, exitCode }: Screen): string {
  const parts = [`$ cictl ${line}\n`, stdout, stderr && `--- standard error\n${stderr}`];
  return `${parts.join('')}--- exit code ${exitCode}\n`.replaceAll(
    service.url,
    'http://127.0.0.1:54321',
  );
}

/**
 * With `CICTL_SCREENS=DIRECTORY`, writes each screen there with its colors, to be shown with `cat`.
 */
async function keepForEyes(name: string, text: string): Promise<void> {
  const folder = process.env['CICTL_SCREENS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}
