import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run, useFolder } from '../../../test/support/job.ts';

/** A checkout with scripts that are not executable. */
function useScripts(): string {
  const cwd = useFolder();
  mkdirSync(join(cwd, 'scripts'));
  for (const name of ['run', 'scripts/t.sh', "scripts/it's $1.sh"])
    writeFileSync(join(cwd, name), 'echo "ran $0 $#"', { mode: 0o644 });
  symlinkSync('scripts/t.sh', join(cwd, 'link'));
  return cwd;
}

test.each([
  ['run', 'ran ./run 0\n'],
  ['./run', 'ran ./run 0\n'],
  ['run\n', 'ran ./run 0\n'],
  ['scripts/t.sh', 'ran ./scripts/t.sh 0\n'],
  ['scripts/../run', 'ran ./run 0\n'],
  ['link', 'ran ./link 0\n'],
  ["scripts/it's $1.sh", "ran ./scripts/it's $1.sh 0\n"],
])('runs %j as a file, after making it executable', async (command, text) => {
  const cwd = useScripts();
  expect(await run(command, { cwd })).toMatchObject({ exitStatus: 0, text });
});

test("sets only the owner's execute bit", async () => {
  const cwd = useScripts();
  await run('run', { cwd });
  expect(statSync(join(cwd, 'run')).mode & 0o777).toBe(0o744);
});

test.each([
  ['run a b', 127],
  ['ru\nn', 127],
  ['"run"', 127],
  ['  run', 127],
  ['scripts', 126],
])(
  'runs %j as a bash script, or fails to find it, as an agent does',
  async (command, exitStatus) => {
    expect(await run(command, { cwd: useScripts() })).toMatchObject({ exitStatus });
  },
);

test('looks for the file in the directory that hooks changed to', async () => {
  const cwd = useScripts();
  mkdirSync(join(cwd, '.buildkite/hooks'), { recursive: true });
  writeFileSync(join(cwd, '.buildkite/hooks/pre-command'), 'cd scripts');
  expect((await run('t.sh', { cwd })).log).toMatch(/~~~ Running script\n.*ran \.\/t\.sh 0\n$/s);
});

test('runs an executable file owned by another user', async () => {
  const cwd = useScripts();
  chmodSync(join(cwd, 'run'), 0o755);
  expect((await run('run', { cwd })).text).toBe('ran ./run 0\n');
});

const long = (bytes: number): string => 'x'.repeat(bytes);

test("runs a command over the system's argument limit", async () => {
  const command = `: ${long(140_000)}\necho "ran $0"\nfalse\necho no`;
  const env = { BUILDKITE_COMMAND: command, BUILDKITE_MESSAGE: long(140_000), A: 'a' };
  const { text, exitStatus } = await run(command, { env });
  expect(exitStatus).toBe(1);
  const left = (name: string): RegExp =>
    new RegExp(`cictl: omitted the variable ${name}: it is 140\\d{3} bytes`);
  expect(text).toMatch(left('BUILDKITE_COMMAND'));
  expect(text).toMatch(left('BUILDKITE_MESSAGE'));
  expect(text).toMatch(/\nran .*bash\n$/);
});

test('passes a command just below the limit as an argument', async () => {
  const head = 'echo "$BASH_EXECUTION_STRING" | wc -c; : ';
  const { text } = await run(head + long(131_071 - head.length));
  expect(text.trim()).toBe('131072');
});

test.each([
  [
    'one variable',
    { BIG: long(140_000) },
    'the variable BIG is 140000 bytes, which is more than the system allows',
  ],
  [
    'all together',
    Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`BIG_${n}`, long(120_000)])),
    'its command and variables together are larger than the system allows',
  ],
])('rejects %s over the limit with one line', async (_, env, reason) => {
  const outcome = await run('echo ran', { env });
  expect(outcome).toMatchObject({ exitStatus: -1, signalReason: 'process_run_error' });
  expect(outcome.text).toBe(`cictl: cannot run the job: ${reason}\n`);
});
