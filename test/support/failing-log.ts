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

export const shapes = [
  ...(['last', 'hooks', 'sections', 'clean-up'] as const),
  ...(['turbo', 'compose', 'servers'] as const),
];
export type Shape = (typeof shapes)[number];

/** What the tools that ran a command print before, between and after its lines. */
interface Wrapping {
  readonly first?: readonly string[];
  readonly line?: (line: string, at: number) => readonly string[];
  readonly last?: readonly string[];
}

export function failingLog(name: string, shape: Shape): Buffer {
  const output = gunzipSync(readFileSync(join(folder, `${name}.gz`)));
  const newline = output.includes('\r\n') ? '\r\n' : '\n';
  const { first = [], line, last = [] } = wrappings[shape];
  const text = (lines: readonly string[]): Buffer =>
    Buffer.from(lines.map((one) => `${one}${newline}`).join(''));
  const lines = output.toString().trimEnd().split(newline);
  const end = [
    '^^^ +++',
    `\x1b[31m🚨 Error: The command exited with status ${causes[name]?.exit ?? 1}\x1b[0m`,
    `user command error: exit status ${causes[name]?.exit ?? 1}`,
  ];
  return Buffer.concat([
    text([...before, ...first]),
    line === undefined ? output : text(lines.flatMap(line)),
    text(['', ...last, ...end, ...(shape === 'hooks' ? hooks : [])]),
  ]);
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

const turbo: Wrapping = {
  first: [
    '• Packages in scope: @acme/web, @acme/ui, @acme/api',
    '• Running test in 3 packages',
    '• Remote caching disabled',
    ...many(6, (at) => `@acme/ui:build: cache hit, replaying logs 4b8f0${at}c1d2e`),
    '@acme/web:test: cache miss, executing 9f2c41d07be3a865',
    '@acme/web:test: ',
    '@acme/web:test: > @acme/web@1.4.0 test',
    '@acme/web:test: > scripts/check',
  ],
  line: (line, at) => [
    `@acme/web:test: ${line}`,
    ...(at % 9 === 4 ? [`@acme/ui:test: ok ${at} - draws button ${at}`] : []),
  ],
  last: [
    '@acme/web:test: npm error Lifecycle script `test` failed with error:',
    '@acme/web:test: npm error code 1',
    '@acme/web:test: npm error path /workspace/apps/web',
    '@acme/web:test: ERROR: command finished with error: command (/workspace/apps/web) npm run test exited (1)',
    '@acme/web#test: command (/workspace/apps/web) npm run test exited (1)',
    '',
    ' Tasks:    2 successful, 3 total',
    'Cached:    1 cached, 3 total',
    '  Time:    41.118s ',
    'Failed:    @acme/web#test',
    '',
    ' ERROR  run failed: command  exited (1)',
  ],
};

const compose: Wrapping = {
  first: [
    ' Network ci_default  Created',
    ...['db', 'cache', 'app'].map((name) => ` Container ci-${name}-1  Started`),
    'Attaching to app-1, cache-1, db-1',
    ...many(
      8,
      (at) => `db-1     | 2026-11-23 10:02:1${at}.114 UTC [1] LOG:  starting worker ${at}`,
    ),
    'db-1     | FATAL:  the database system is starting up',
    'db-1     | 2026-11-23 10:02:19.871 UTC [1] LOG:  database system is ready to accept connections',
  ],
  line: (line, at) => [
    `app-1    | ${line}`,
    ...(at % 11 === 3 ? [`cache-1  | 1:M 23 Nov 2026 10:02:20.${at} * DB saved on disk`] : []),
  ],
  last: [
    'app-1 exited with code 1',
    'Aborting on container exit...',
    ...['Stopping', 'Stopped'].flatMap((word) =>
      ['db', 'cache', 'app'].map((name) => ` Container ci-${name}-1  ${word}`),
    ),
  ],
};

const request = (at: number): string =>
  at % 3 === 0
    ? `[2026-11-23T10:03:${String(at % 60).padStart(2, '0')}.120Z] GET /health 200 ${at % 9} ms`
    : `127.0.0.1 - - [23/Nov/2026 10:03:11] "GET /items/${at}/errors HTTP/1.1" ${at % 2 ? 404 : 200} -`;

/** A server that the tests started prints a line now and then, and shuts down after them. */
const servers: Wrapping = {
  line: (line, at) => (at % 5 === 2 ? [line, request(at)] : [line]),
  last: [
    ...many(6, request),
    '[2026-11-23T10:04:09.520Z] info: received SIGTERM, closing 3 connections',
    '[2026-11-23T10:04:09.522Z] info: server stopped',
  ],
};

const wrappings: Readonly<Record<Shape, Wrapping>> = {
  last: {},
  hooks: {},
  sections: { last: sections },
  'clean-up': { last: cleanUp },
  turbo,
  compose,
  servers,
};
