/** Checks the table in docs/job-env.md with the other dotenv readers. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { writeDotenv } from '../../src/dotenv/write.ts';
import { sampledGroups } from '../support/full.ts';

const page = await readFile(join(import.meta.dirname, '../../docs/job-env.md'), 'utf8');

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `"'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()))
  .map(([value = '', , node = '', python = '']) => ({ value: unquoted(value), node, python }));

test('has rows', () => expect(rows.length).toBeGreaterThan(10));

sampledGroups.each(rows)('%j', ({ value, node, python }) => {
  const { text } = writeDotenv({ V: value, AFTER: 'x y' });

  test('as Node reads it', () => expect(parseEnv(text)['V']).toBe(meant(node, value)));

  test.skipIf(!hasPython())('as python-dotenv reads it', () => {
    const script =
      'import dotenv, io, json, sys; text = io.TextIOWrapper(sys.stdin.buffer, "utf8");' +
      'json.dump(dotenv.dotenv_values(stream=text), sys.stdout)';
    const { stdout } = spawnSync('python3', ['-c', script], { input: text, encoding: 'utf8' });
    expect((JSON.parse(stdout) as Record<string, string>)['V']).toBe(meant(python, value));
  });
});

function meant(cell: string, value: string): string | undefined {
  if (cell === 'lost') return undefined;
  return cell === '=' ? value : unquoted(cell);
}

function unquoted(cell: string): string {
  return JSON.parse(cell.replaceAll('`', '')) as string;
}

function hasPython(): boolean {
  return spawnSync('python3', ['-c', 'import dotenv']).status === 0;
}
