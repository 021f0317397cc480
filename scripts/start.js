/**
 * `npm start`: sets everything up, then runs the pipeline in `examples/hello` with the built-in
 * service and shows the result. It uses its own profiles, so the user's profiles do not change, and
 * stops the service unless it was already running.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from './setup.js';

const pipeline = 'examples/hello/.buildkite/pipeline.yml';
// The text of the first annotation, without markup.
const note = '.[0] | "\\(.context) (\\(.style)): \\(.body_html | gsub("<[^>]+>|\\n"; ""))"';
const next = [
  ['local up', 'start the local service in the background'],
  ['builds view hello/latest --profile local', 'show this build again'],
  ['local down', 'stop the service; builds are kept'],
];

setUp();
const profiles = await mkdtemp(join(tmpdir(), 'cictl-tour-'));
const env = tourEnv();
let running;
let interrupted = false;
// The running command gets Ctrl-C too and exits. Then the tour exits.
process.on('SIGINT', () => (interrupted = true));
process.on('SIGTERM', () => {
  interrupted = true;
  running?.kill('SIGTERM');
});

try {
  process.exitCode = await tour();
} finally {
  await rm(profiles, { recursive: true, force: true });
}

async function tour() {
  const wasUp = (await cictl(['local', 'status'], 'ignore')) === 0;
  const code = await runSteps();
  if (!wasUp) await cictl(['local', 'down', '--quiet']);
  if (code === 0) printNext();
  return code;
}

/** Stops at the first command that fails, and returns its exit code. */
async function runSteps() {
  print('Running the pipeline in examples/hello on this machine:\n');
  const table = ['-o', 'table'];
  return (
    (await cictl(['local', 'up', '--quiet'], ['ignore', 'ignore', 'inherit'])) ||
    (await cictl(['run', pipeline])) ||
    (await step('Its builds', ['builds', 'list', '-L', '5', ...table])) ||
    (await step('The jobs of the newest build', ['job', 'list', 'latest', ...table])) ||
    (await step('The log of one job', ['job', 'log', 'latest#greet'])) ||
    (await step('An annotation that a job added to the build', [
      'annotations',
      'list',
      'latest',
      '--jq',
      note,
    ]))
  );
}

/** Shows a part of the result. A pager would wait for a key. */
function step(title, args) {
  if (interrupted) return 130;
  print(`\n${title}:\n`);
  return cictl([...args, '-p', 'hello', '--profile', 'local', '--no-pager']);
}

/** Returns the exit code. */
async function cictl(args, stdio = 'inherit') {
  const child = spawn(process.execPath, ['bin/cictl.js', ...args], { stdio, env });
  running = child;
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** The user's environment without variables of `cictl` and jobs, except the data and cache directories. */
function tourEnv() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(CICTL|BUILDKITE)_/.test(name) || /^CICTL_(DATA|CACHE)_DIR$/.test(name),
  );
  return { ...Object.fromEntries(kept), CICTL_CONFIG_DIR: profiles };
}

function printNext() {
  const width = Math.max(...next.map(([line]) => line.length));
  print('\nNext:\n');
  for (const [line, what] of next) print(`  node bin/cictl.js ${line.padEnd(width)}  # ${what}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
