/** A real agent runs a job that calls everything that scripts use. */
import { expect } from 'vitest';
import { eachAgent } from './each-agent.ts';
import type { Scene } from './scene.ts';

const script = `
set -euo pipefail
echo "--- Variables"
echo "$BUILDKITE_LABEL $BUILDKITE_BUILD_NUMBER $BUILDKITE_BRANCH $BUILDKITE_PULL_REQUEST $BUILDKITE_RETRY_COUNT $CI"
echo "files $(git ls-files | tr '\\n' ' ')"
echo "--- Meta-data"
buildkite-agent meta-data set color blue
buildkite-agent meta-data set lines $'two\\nlines'
echo "color $(buildkite-agent meta-data get color)"
echo "absent $(buildkite-agent meta-data get absent --default none)"
buildkite-agent meta-data exists color
code=0; buildkite-agent meta-data exists absent || code=$?; echo "exists $code"
echo "keys $(buildkite-agent meta-data keys | grep -v buildkite: | sort | tr '\\n' ' ')"
echo "+++ Annotations"
echo '**hi**' | buildkite-agent annotate --style success --context my.ctx
buildkite-agent annotate 'more' --append --context my.ctx
buildkite-agent annotate 'gone' --context passing
buildkite-agent annotation remove --context passing
echo "~~~ Artifacts"
mkdir -p copy 'out/a b' && echo one > out/one.txt && : > out/empty && echo two > 'out/a b/two.txt'
buildkite-agent artifact upload 'out/**/*'
buildkite-agent artifact download 'out/**/*' copy/ --step all
diff -r out copy/out && echo "same files"
echo "found $(buildkite-agent artifact search 'out/{one,none}.*' --format '%p' )"
test "$(buildkite-agent artifact shasum out/one.txt)" = "$(sha1sum < out/one.txt | cut -d' ' -f1)" && echo "same sum"
echo "--- Steps"
echo "step $(buildkite-agent step get label)"
buildkite-agent step update label ' changed' --append
echo "steps: [{ label: dynamic, key: dynamic, command: 'echo dyn-\\$\\$BUILDKITE_STEP_KEY' }]" | buildkite-agent pipeline upload
echo "--- End"
echo wrong >&2
^^^() { echo "^^^ +++"; }; ^^^
exit 3
`;

const steps = `
  - { label: all, key: all, command: bash all.sh, soft_fail: [{ exit_status: 3 }], artifact_paths: 'out/one.*;copy/**/empty' }
  - wait
  - { label: last, key: last, command: 'buildkite-agent meta-data get color' }`;

eachAgent('a job calls everything scripts use', async (scene) => {
  await scene.pipeline(steps, { 'all.sh': script });
  scene.agent({ name: 'worker-1', args: ['--tags', 'queue=default,os=linux'] });
  const number = await scene.create();
  const build = await scene.settled(number);
  const log = await scene.log(number, 'all');
  expect(build.state, log).toBe('passed');
  expect(build.jobs.map(({ step_key, state }) => [step_key, state])).toEqual([
    ['all', 'failed'],
    ['dynamic', 'passed'],
    ['', 'passed'],
    ['last', 'passed'],
  ]);
  expect(build.jobs[0]).toMatchObject({
    ...{ exit_status: 3, soft_failed: true },
    agent: { name: 'worker-1', meta_data: ['queue=default', 'os=linux'] },
  });
  expect(log.split('\n')).toEqual(expect.arrayContaining(lines));
  expect(await scene.log(number, 'dynamic')).toMatch(/^dyn-dynamic$/m);
  expect(await scene.log(number, 'last')).toMatch(/^blue$/m);
  expect(build['meta_data']).toMatchObject({ color: 'blue', lines: 'two\nlines' });
  await expectAnnotations(scene, number);
  await expectArtifacts(scene, number);
});

const lines = [
  ...['--- Variables', 'all 1 main false 0 true', 'files .buildkite/pipeline.yml all.sh '],
  ...['color blue', 'absent none', 'exists 100', 'keys color lines '],
  ...['+++ Annotations', '~~~ Artifacts', 'same files', 'found out/one.txt', 'same sum'],
  ...['--- Steps', 'step all', 'wrong', '^^^ +++'],
];

async function expectAnnotations({ get }: Scene, number: number): Promise<void> {
  const response = await get(`/pipelines/p/builds/${number}/annotations`);
  const list = (await response.json()) as Record<string, string>[];
  expect(list.map(({ context, style }) => [context, style])).toEqual([['my.ctx', 'success']]);
  expect(list[0]?.['body_html']).toMatch(/<strong>hi<\/strong>[^]*more/);
}

/** The job's own uploads, and the files that match `artifact_paths`. */
async function expectArtifacts({ get }: Scene, number: number): Promise<void> {
  const response = await get(`/pipelines/p/builds/${number}/artifacts`);
  const list = (await response.json()) as Record<string, string | number>[];
  const shown = list.map(({ path, state, file_size: size }) => [path, state, size]);
  expect(shown.sort()).toEqual([
    ['copy/out/empty', 'finished', 0],
    ['out/a b/two.txt', 'finished', 4],
    ['out/empty', 'finished', 0],
    ['out/one.txt', 'finished', 4],
    ['out/one.txt', 'finished', 4],
  ]);
  const { download_url: url } = list.find(({ path }) => path === 'out/a b/two.txt') ?? {};
  const content = await get(new URL(String(url)).pathname.replace('/v2/organizations/local', ''));
  expect(await content.text()).toBe('two\n');
}
