/** Thousands of malformed responses for every command that reads them, in this process. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manual, responses, rule, script, time, uuid } from '../../test/support/answers.ts';
import { createHome, type Home } from '../../test/support/home.ts';
import { fuzzed } from '../../test/support/fuzz.ts';
import { mutate, pickFrom, randomFrom } from '../../test/support/mutate.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { toExit, toText } from '../errors.ts';
import { parse } from './parse.ts';
import { createSecrets } from '../terminal/secrets.ts';
import { runCommand } from './run-command.ts';

const reference = `web/7#${script}`;
const paged =
  'query($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';
/** Exit codes other than 0 and 9: outcomes of a watch, and a job name that is not found. */
const outcomes = [1, 2, 3, 4, 5];
const commands: readonly (readonly [readonly string[], readonly number[]])[] = [
  [['builds', 'list'], []],
  [['builds', 'list', '--all-orgs'], []],
  [['builds', 'list', '--fields', 'number,jobs.state,creator.name,duration'], []],
  [['builds', 'view', '7'], []],
  [['builds', 'view', '7', '--fields', 'jobs.duration,pipeline,env.A'], []],
  [['builds', 'view', 'latest'], [7]],
  [['builds', 'watch', '7'], outcomes],
  [['builds', 'watch', '7', '--logs', '--fail-fast'], outcomes],
  [['builds', 'watch', '--commit', 'a'.repeat(40)], outcomes],
  [['builds', 'failures', '7'], []],
  [['builds', 'cancel', '7', '-y'], []],
  [['builds', 'rebuild', '7'], []],
  [['builds', 'rebuild', '7', '--watch'], outcomes],
  [['builds', 'create', '-c', 'c', '-b', 'b'], []],
  [['builds', 'create', '-c', 'c', '-b', 'b', '--fields', 'number,creator.name'], []],
  [['job', 'list', '7'], []],
  [['job', 'list', '7', '--failed', '--fields', 'name,duration'], []],
  [['job', 'view', reference], [7]],
  [
    ['job', 'view', 'web/7#tests'],
    [2, 7],
  ],
  [
    ['job', 'log', '7#tests', '--groups'],
    [2, 7],
  ],
  [['job', 'retry', reference], [7]],
  [['job', 'retry', '--failed', '--build', '7'], []],
  [
    ['job', 'unblock', `web/7#${manual}`],
    [7, 8],
  ],
  [['annotations', 'list', '7'], []],
  [['annotations', 'list', '7', '--style', 'error'], []],
  [['annotations', 'view', 'default', '--build', '7'], [7]],
  [['annotate', 'text', '--build', '7'], []],
  [['rules', 'list'], []],
  [['rules', 'view', uuid], []],
  [['rules', 'create', '--type', rule.type, '--value', '{}'], []],
  [['rules', 'create', '--type', rule.type, '--source', 'web', '--target', 'web'], [2]],
  [['orgs', 'list'], []],
  [['orgs', 'view'], []],
  [['emojis', 'list'], []],
  [['emojis', 'list', '--search', 'a'], []],
  [['token', 'view'], []],
  [['auth', 'status'], []],
  [['graphql', paged, '--paginate'], []],
];
/** These have their own formats. */
const formatted: readonly (readonly [readonly string[], readonly number[]])[] = [
  ...['table', 'json', 'prometheus', 'statsd'].map(
    (format) => [['metrics', '--format', format], []] as const,
  ),
  ...['table', 'json', 'dotenv', 'export'].map(
    (format) => [['job', 'env', reference, '--format', format], []] as const,
  ),
  [['job', 'log', reference, '--json'], []],
  [['job', 'log', reference], []],
  [['job', 'log', '--failed', '--build', '7'], []],
  [['job', 'log', '--build', '7'], [2]],
  [['job', 'log', reference, '--json', '--jq', '.size'], []],
  [['builds', 'failures', '7', '--markdown'], []],
];
const forms = [
  ...[
    ['-o', 'table'],
    ['-o', 'tsv'],
    ['-o', 'json'],
    ['-o', 'jsonl'],
    ['-o', 'yaml'],
  ],
  ['--jq', '.'],
  ['-o', 'jsonl', '--jq', '.'],
];

let home: Home;
let server: Server;
let reply: (request: IncomingMessage) => string = () => '';

beforeAll(async () => {
  home = await createHome();
  server = createServer((request, response) => {
    request.resume();
    const body = reply(request);
    response.setHeader(
      'content-type',
      /\.txt$/.test(request.url ?? '') ? 'text/plain' : 'application/json',
    );
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await home.remove();
});

test.each([1, 2, 3, 4, 5])(
  'corrupt responses end with documented exit codes (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    for (let count = 0; count < fuzzed(200).numRuns; count++) {
      const isFormatted = random() < 0.15;
      const [line, codes] = pickFrom(isFormatted ? formatted : commands, random);
      const isGraphql = line[0] === 'graphql';
      const args = [...line, ...(isFormatted || isGraphql ? [] : pickFrom(forms, random))];
      const result = await tryOne(args, random);
      const what = `${args.join(' ')}\n${result.sent}\n${result.text}`;
      expect([0, 9, ...codes], what).toContain(result.code);
      expect(result.text, what).not.toMatch(/unexpected fault|\n +at .*:\d+/);
      expect(result.out, what).not.toMatch(/\[object Object\]|\bNaN\b/);
    }
  },
);

/** Runs one command with responses of which the first one for each URL is malformed. */
async function tryOne(args: readonly string[], random: () => number) {
  const seen = new Map<string, number>();
  let sent = '';
  reply = ({ url = '' }) => {
    const path = new URL(url, 'http://x').pathname;
    if (path.endsWith('.txt')) return '--- a\nb\n';
    const found = responses.find(([pattern]) => pattern.test(path));
    const count = seen.get(path) ?? 0;
    seen.set(path, count + 1);
    // Ensures that watches come to an end.
    if (count > 1) return JSON.stringify(found?.[1]);
    const body = mutate(found?.[1] ?? {}, random);
    sent += `${path}: ${body}\n`;
    return body;
  };
  const { port } = server.address() as AddressInfo;
  const [stdout, stderr] = [new Sink(), new Sink()];
  const { signal } = new AbortController();
  let code: number;
  let text = '';
  try {
    const invocation = parse(args);
    if (invocation.kind !== 'run') throw new Error(`${args.join(' ')} runs nothing`);
    code = await runCommand(invocation, {
      env: {
        ...home.env,
        ...{ CICTL_BASE_URL: `http://127.0.0.1:${port}`, CICTL_TOKEN: 't', CICTL_AGENT_TOKEN: 'a' },
        ...{ CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' },
      },
      cwd: home.cwd,
      clock: virtualClock(Date.parse(time)),
      stdin: { isTerminal: false, read: () => Promise.resolve(new Uint8Array()) },
      openStdin: () => process.stdin,
      ...{ stdout, stderr, signal, urgent: signal, secrets: createSecrets() },
      ...{ nodeVersion: process.versions.node, version: '0' },
    });
  } catch (error) {
    code = toExit(error);
    text = toText(error) + (code === 10 ? String((error as Error).stack) : '');
  }
  return { code, sent, text: `${text}\n${stderr.text}`, out: stdout.text };
}

class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
