/** Logs of failed jobs: output of real tools, surrounded by what agents and scripts print. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../fixtures/failing-logs');

interface Cause {
  readonly tool: string;
  /** The lines that explain the failure, most relevant first. */
  readonly cause: readonly string[];
  readonly exit: number;
}

export const causes = JSON.parse(readFileSync(join(folder, 'causes.json'), 'utf8')) as Readonly<
  Record<string, Cause>
>;

export const shapes = ['last', 'hooks', 'sections', 'clean-up'] as const;
export type Shape = (typeof shapes)[number];

export function failingLog(name: string, shape: Shape): Buffer {
  const output = gunzipSync(readFileSync(join(folder, `${name}.gz`)));
  const isTerminal = output.includes('\r\n');
  const text = (lines: readonly string[]): Buffer =>
    Buffer.from(lines.map((line) => `${line}${isTerminal ? '\r\n' : '\n'}`).join(''));
  const end = [
    '^^^ +++',
    `\x1b[31m🚨 Error: The command exited with status ${causes[name]?.exit ?? 1}\x1b[0m`,
    `user command error: exit status ${causes[name]?.exit ?? 1}`,
  ];
  const after: Readonly<Record<Shape, readonly string[]>> = {
    last: end,
    hooks: [...end, ...hooks],
    sections: [...sections, ...end],
    'clean-up': [...cleanUp, ...end],
  };
  return Buffer.concat([text(before), output, text(['', ...after[shape]])]);
}

const many = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at));

const before = [
  '~~~ Running global environment hook',
  '$ /etc/agent/hooks/environment',
  '~~~ Preparing working directory',
  '$ git fetch origin',
  'HEAD is now at 5e3fd11 Fix error handling of the importer',
  '~~~ Running commands',
  '--- :package: Install',
  ...many(80, (at) => `fetched package-${at * 7} in ${at % 9} ms`),
  'warning: the package error-handler is deprecated',
  '+++ :hammer: Check',
  '$ scripts/check',
];

const hooks = [
  '~~~ Running global pre-exit hook',
  '$ /etc/agent/hooks/pre-exit',
  'Error: no such container: proxy',
  '~~~ Uploading artifacts',
  ...many(20, (at) => `Uploading artifact reports/${at}-error.txt (${at} KiB)`),
];

const sections = [
  '--- Coverage',
  '-----------|---------|----------|',
  'File       | % Stmts | % Branch |',
  ...many(20, (at) => ` error${at}.js |   ${at + 60}.2 |       ${at} |`),
  '--- Summary',
  'Slowest:',
  ...many(12, (at) => `  ${12 - at}.2s  store ${at} is an error without an id`),
  '--- Cache',
  ...many(10, (at) => `  adding .cache/${at}.tar (${at} kB)`),
  'cache saved, 2 errors are ignored',
];

const cleanUp = [
  '$ docker compose down',
  ...many(12, (at) => ` Container ci-${at}  Stopped`),
  'Error response from daemon: No such container: ci-13',
  ...many(50, (at) => `removed 'tmp/${at}/error.log'`),
  "rm: cannot remove 'tmp/lock': No such file or directory",
];
