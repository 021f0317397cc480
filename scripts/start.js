/**
 * `npm start`: all the set-up, then a tour. It runs the pipeline of `examples/hello` through the
 * built-in service and shows what came of it. The tour has profiles of its own, so that those of
 * the user stay as they are, and stops the service again, unless that ran already.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from './setup.js';

const pipeline = 'examples/hello/.buildkite/pipeline.yml';
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
  const code = await stops();
  if (!wasUp) await cictl(['local', 'down', '--quiet']);
  if (code === 0) tellNext();
  return code;
}

/** Ends at the first command that fails, with its code. */
async function stops() {
  print('The pipeline in examples/hello, run on this machine:\n');
  const build = ['-p', 'hello', '--profile', 'local', '--no-pager'];
  return (
    (await step(undefined, ['local', 'up', '--quiet'])) ||
    (await step(undefined, ['run', pipeline])) ||
    (await step('Its builds so far', ['builds', 'list', '-L', '5', '-o', 'table', ...build])) ||
    (await step('The jobs of this build', ['job', 'list', 'latest', '-o', 'table', ...build])) ||
    (await step('The log of one job', ['job', 'log', 'hello/latest#greet', ...build])) ||
    (await step('What a job noted on the build', [
      'annotations',
      'list',
      'latest',
      '-o',
      'table',
      ...build,
    ]))
  );
}

async function step(title, args) {
  if (interrupted) return 130;
  if (title !== undefined) print(`\n${title}:\n`);
  return cictl(args);
}

/** Resolves to the exit code. */
async function cictl(args, output = 'inherit') {
  const child = spawn(process.execPath, ['bin/cictl.js', ...args], {
    stdio: ['inherit', output, output],
    env,
  });
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

function tellNext() {
  const width = Math.max(...next.map(([line]) => line.length));
  print('\nNext, in this order:\n');
  for (const [line, what] of next) print(`  node bin/cictl.js ${line.padEnd(width)}  # ${what}`);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
