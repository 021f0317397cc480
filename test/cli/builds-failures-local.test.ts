/** `builds failures` for a build that actually ran. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/triage/report-resource.ts';
import { cictl } from '../support/cli.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { useService } from '../support/service.ts';

const commands = [
  ...['echo "--- Set up"', 'echo "+++ Tests"', String.raw`printf '10%%\r100%%\n'`],
  ...['echo "expected 4, got 5"', 'exit 3'],
];
const lint = ['~~~ Running commands', '$ echo "line too long"; exit 2'];

const pipeline = `
steps:
  - { label: build, key: build, command: 'echo fine' }
  - label: unit
    key: unit
    command: |
      ${commands.join('\n      ')}
  - { label: lint, key: lint, command: 'echo "line too long"; exit 2', soft_fail: true }
  - wait
  - { label: deploy, key: deploy, command: 'echo never' }
`;

/** A service with the failed build 1 of pipeline `web`. */
async function failedBuild() {
  const service = await useService();
  const folder = join(service.home.root, 'web');
  await mkdir(folder);
  await writeFile(join(folder, 'pipeline.yml'), pipeline);
  const added = await fetch(`${service.url}/local/v1/organizations/local/pipelines`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder, file: join(folder, 'pipeline.yml'), slug: 'web' }),
  });
  expect(added.status).toBe(201);
  const { home } = service;
  const create = ['builds', 'create', '-p', 'web', '-c', 'HEAD', '-b', 'main', '--watch'];
  const { exitCode, stderr } = await cictl(create, { home });
  expect(exitCode, stderr).toBe(1);
  const note = ['annotate', '**1** of 9', '--style', 'error', '--build', 'web/1'];
  await cictl(note, { home });
  return home;
}

test('distinguishes causes, consequences, soft failures, annotations and retries', async () => {
  const home = await failedBuild();
  const before = await cictl(['builds', 'failures', 'web/1', '--json'], { home });
  const report = JSON.parse(before.stdout) as Report;
  expect(report.counts).toMatchObject({ passed: 1, failed: 1, soft_failed: 1, followed: 1 });
  expect(report.failures).toMatchObject([
    {
      name: 'unit',
      exit_status: 3,
      soft_failed: false,
      section: 'Tests',
      lines: [
        ...['~~~ Running commands', ...`$ ${commands.join('\n')}`.split('\n'), ''],
        ...['--- Set up', '+++ Tests', '100%', 'expected 4, got 5'],
      ],
      truncated: false,
    },
    { name: 'lint', exit_status: 2, soft_failed: true, lines: [...lint, 'line too long'] },
  ]);
  expect(report.annotations).toMatchObject([{ style: 'error', text: '1 of 9' }]);

  await cictl(['job', 'retry', '--failed', '--build', 'web/1', '--watch'], { home });
  const after = await cictl(['builds', 'failures', 'web/1', '--json'], { home });
  const [unit] = (JSON.parse(after.stdout) as Report).failures;
  expect(unit?.id).not.toBe(report.failures[0]?.id);
  expect(unit?.retries).toMatchObject([
    { id: report.failures[0]?.id, state: 'failed', exit_status: 3, retry_type: 'manual' },
  ]);
});

test.skipIf(!hasTerminal)('the suggested commands work as printed', async () => {
  const home = await failedBuild();
  const { screen } = await cictlInTerminal(['builds', 'failures', 'web/1'], { home });
  const next = [...screen.matchAll(/^ {2}cictl (.*)\r$/gm)].map(([, line = '']) => line.split(' '));
  expect(next).toHaveLength(2);
  const [log, retry] = next;
  expect((await cictl(log ?? [], { home })).stdout).toContain('expected 4, got 5\n');
  expect(await cictl(retry ?? [], { home })).toMatchObject({ exitCode: 0, stderr: '' });
});
