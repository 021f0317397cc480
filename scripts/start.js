/**
 * `npm start`: all the set-up, then a tour. It runs the pipeline of `examples/hello` through the
 * built-in service and shows what came of it. The tour has profiles of its own, so that those of
 * the user stay as they are, and runSteps the service again, unless that ran already.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from './setup.js';

const pipeline = 'examples/hello/.buildkite/pipeline.yml';
// What the first annotation says, without its markup.
const note = '.[0] | "\\(.context) (\\(.style)): \\(.body_html | gsub("<[^>]+>|\\n"; ""))"';
const next = [
  ['local up', 'keep the built-in service running, in the background'],
  ['builds view hello/latest --profile local', 'look at this build again'],
  ['local down', 'stop the service; what ran is kept'],
];

setUp();
const profiles = await mkdtemp(join(tmpdir(), 'cictl-tour-'));
const env = tourEnv();
let running;
let interrupted = false;
// Ctrl-C reaches the command that runs as well; it ends by itself, and then the tour does.
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

/** Ends at the first command that fails, with its code. */
async function runSteps() {
  print('The pipeline in examples/hello, run on this machine:\n');
  const table = ['-o', 'table'];
  return (
    (await cictl(['local', 'up', '--quiet'], ['ignore', 'ignore', 'inherit'])) ||
    (await cictl(['run', pipeline])) ||
    (await step('Its builds so far', ['builds', 'list', '-L', '5', ...table])) ||
    (await step('The jobs of this build', ['job', 'list', 'latest', ...table])) ||
    (await step('The log of one job', ['job', 'log', 'latest#greet'])) ||
    (await step('What a job noted on the build', ['annotations', 'list', 'latest', '--jq', note]))
  );
}

/** One look at what ran. A pager would wait for a key. */
function step(title, args) {
  if (interrupted) return 130;
  print(`\n${title}:\n`);
  return cictl([...args, '-p', 'hello', '--profile', 'local', '--no-pager']);
}

/** Resolves to the exit code. */
async function cictl(args, stdio = 'inherit') {
  const child = spawn(process.execPath, ['bin/cictl.js', ...args], { stdio, env });
  running = child;
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

/** The user's own, without what would lead the tour elsewhere; the data go to the usual place. */
function tourEnv() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(CICTL|BUILDKITE)_/.test(name) || /^CICTL_(DATA|CACHE)_DIR$/.test(name),
  );
  return { ...Object.fromEntries(kept), CICTL_CONFIG_DIR: profiles };
}

function printNext() {
  const width = Math.max(...next.map(([line]) => line.length));
  print('\nNext, in this order:\n');
  for (const [line, what] of next) print(`  node bin/cictl.js ${line.padEnd(width)}  # ${what}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
