/** `buildkite-agent pipeline upload` in jobs of the built-in service. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { useHome } from '../support/home.ts';
import { runPipeline, type JobRun } from './jobs.ts';

const first = `steps:
  - { label: first, key: first, command: bash script }
  - wait
  - { label: last, command: echo last >> order }
`;

/** A build whose first job runs this script; its jobs append to `order`. */
async function build(script: string, yaml = first): Promise<JobRun & { folder: string }> {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', yaml);
  await writeFile(join(folder, 'script'), script);
  await writeFile(join(folder, 'order'), '');
  return { ...(await runPipeline(home, folder)), folder };
}

test("steps from standard input run in order, with the job's environment", async () => {
  const script = `export MORE='a "b"'
echo uploaded >> order
buildkite-agent pipeline upload <<'YAML'
env: { TOP: top }
steps:
  - label: added
    command: 'echo "$MORE-$TOP-$BUILDKITE_LABEL-$$BUILDKITE_LABEL" >> order'
YAML`;
  const { exitCode, file } = await build(script);
  expect(exitCode).toBe(0);
  expect(await file('order')).toBe('uploaded\na b-top-first-added\nlast\n');
});

test('steps come from a file, and from the default location', async () => {
  const { exitCode, file } = await build(`
    mkdir -p buildkite
    echo 'steps: [{ command: "echo usual >> order" }]' > buildkite/pipeline.yml
    echo '[{"command": "echo given >> order", "label": "given"}]' > own.json
    buildkite-agent pipeline upload
    buildkite-agent pipeline upload own.json < /dev/null
  `);
  expect(exitCode).toBe(0);
  expect((await file('order')).split('\n').sort()).toEqual(['', 'given', 'last', 'usual']);
});

test('--replace drops steps that have not started', async () => {
  const { exitCode, file } = await build(
    `echo 'steps: [{ command: echo new >> order }]' | buildkite-agent pipeline upload --replace`,
  );
  expect(exitCode).toBe(0);
  expect(await file('order')).toBe('new\n');
});

test("--no-interpolation leaves variables to the step's shell", async () => {
  const { exitCode, file } = await build(`
    export MORE=of-the-first
    echo 'steps: [{ command: "echo $MORE-$BUILDKITE_LABEL >> order", label: added }]' |
      buildkite-agent pipeline upload --no-interpolation
  `);
  expect(exitCode).toBe(0);
  expect(await file('order')).toBe('-added\nlast\n');
});

test('an invalid file fails the job with every problem in its log, and runs nothing', async () => {
  const { exitCode, file, log } = await build(`
    set -e
    printf 'steps:\\n  - command: echo added >> order\\n  - comand: x\\n  - wait: ~\\n    nonsense: 1\\n' > bad.yml
    buildkite-agent pipeline upload bad.yml
  `);
  expect(exitCode).toBe(1);
  expect(log).toContain('failed to upload and process pipeline: the pipeline file bad.yml has');
  expect(log).toMatch(/bad\.yml:3:5: .*comand/);
  expect(log).toMatch(/bad\.yml:5:5: .*nonsense/);
  expect(await file('order')).toBe('');
});

test('two concurrent uploads are both complete', async () => {
  const { exitCode, file } = await build(`
    for name in a b; do
      echo "steps: [{ command: echo $name >> order, label: $name }]" |
        buildkite-agent pipeline upload & pids="$pids $!"
    done
    for pid in $pids; do wait "$pid" || exit 1; done
  `);
  expect(exitCode).toBe(0);
  const lines = (await file('order')).split('\n');
  expect(lines.slice(0, 2).sort()).toEqual(['a', 'b']);
  expect(lines.slice(2)).toEqual(['last', '']);
});

test('uploaded steps can depend on those of the build', async () => {
  const { exitCode, file } = await build(`
    echo 'steps: [{ command: echo added >> order, depends_on: first }]' | buildkite-agent pipeline upload
    echo 'steps: [{ command: x, depends_on: nothing }]' | buildkite-agent pipeline upload; echo $? >> order
  `);
  expect(exitCode).toBe(0);
  expect(await file('order')).toBe('1\nadded\nlast\n');
});

test('--dry-run prints the interpolated pipeline, and uploads nothing', async () => {
  const { exitCode, file } = await build(`
    export MORE=more
    upload() { echo '[{"command": "echo $MORE $$X"}, "wait"]' | buildkite-agent pipeline upload --dry-run "$@"; }
    upload > json; upload --format yaml > yaml; upload --no-interpolation > literal
    upload --format xml; echo $? > code
  `);
  expect(exitCode).toBe(0);
  const steps = [{ command: 'echo more $X' }, 'wait'];
  expect(await file('json')).toBe(`${JSON.stringify({ steps }, null, 2)}\n`);
  expect(await file('yaml')).toBe('steps:\n  - command: echo more $X\n  - wait\n');
  expect(await file('literal')).toContain('echo $MORE $$X');
  expect(await file('code')).toBe('1\n');
  expect(await file('order')).toBe('last\n');
});

test('reports a secret in the pipeline, and rejects it with --reject-secrets', async () => {
  const { exitCode, file, log } = await build(`
    export API_TOKEN='se"cret-value'
    echo 'steps: [{ command: "echo $API_TOKEN >> order" }]' > named.yml
    buildkite-agent pipeline upload named.yml --reject-secrets; echo $? >> code
    buildkite-agent pipeline upload named.yml --reject-secrets --dry-run; echo $? >> code
    echo 'steps: [{ command: "echo $$API_TOKEN none >> order" }]' |
      buildkite-agent pipeline upload --reject-secrets; echo $? >> code
    buildkite-agent pipeline upload named.yml --dry-run > filled; echo $? >> code
    buildkite-agent pipeline upload named.yml --dry-run --allow-secrets 2> quiet; echo $? >> code
  `);
  expect(exitCode).toBe(0);
  expect(await file('code')).toBe('1\n1\n0\n0\n0\n');
  expect(await file('order')).toBe('none\nlast\n');
  expect(await file('quiet')).toBe('');
  const found = 'contains values interpolated from the following secret environment variables: ';
  expect(log.split(`${found}[API_TOKEN], and cannot be uploaded`)).toHaveLength(3);
  expect(
    log.split(`${found}[API_TOKEN]; to reject such pipelines, use --reject-secrets`),
  ).toHaveLength(2);
});

const changing = 'steps: [{ command: "echo changed >> order", if_changed: "*.go" }]';

test.each([
  ['--apply-if-changed=false --changed-files-path files', 'changed\nlast\n'],
  ['--changed-files-path files', 'last\n'],
  ['--changed-files-path go-files', 'changed\nlast\n'],
  ['--changed-files-path missing', 'changed\nlast\n'],
  ['--git-diff-base HEAD', 'last\n'],
  ['--git-diff-base HEAD~1', 'changed\nlast\n'],
  ['--git-diff-base HEAD~1 --no-interpolation', 'changed\nlast\n'],
])('evaluates `if_changed` with `%s`', async (flags, order) => {
  const { exitCode, file } = await build(`
    printf 'a.txt\\nsub/x.go\\n' > files
    printf 'a.txt\\nx.go\\n' > go-files
    commit() { git add -A; git -c user.name=n -c user.email=e@e commit --quiet --allow-empty -m "$1"; }
    git init --quiet; commit one; : > x.go; commit two; git branch -M other
    echo '${changing}' | buildkite-agent pipeline upload ${flags}
  `);
  expect(exitCode).toBe(0);
  expect(await file('order')).toBe(order);
});

test('rejects a signing key', async () => {
  const { exitCode, log } = await build(
    `set -e; echo '[wait]' | buildkite-agent pipeline upload --jwks-file k`,
  );
  expect(exitCode).toBe(1);
  expect(log).toContain('the local service does not sign pipelines');
});

test.each([
  ['nowhere.yml < /dev/null', 'failed to read file nowhere.yml'],
  ['< /dev/null', 'could not find a default pipeline configuration file'],
  ['empty.yml', 'empty.yml is empty'],
])('`pipeline upload %s` fails: %s', async (words, message) => {
  const { log, folder } = await build(
    `: > empty.yml; buildkite-agent pipeline upload ${words}; echo $? > code`,
  );
  expect(log).toContain(`buildkite-agent: fatal: ${message}`);
  expect(await readFile(join(folder, 'code'), 'utf8')).toBe('1\n');
});
