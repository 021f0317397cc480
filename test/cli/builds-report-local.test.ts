/** `builds report` for a build that actually ran. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BuildReport } from '../../src/commands/builds/report/resource.ts';
import { cictl } from '../support/cli.ts';
import { useService } from '../support/service.ts';

const pipeline = `
steps:
  - { label: build, key: build, command: 'echo fine' }
  - { label: unit, key: unit, depends_on: build, command: 'echo "expected 4, got 5"; exit 3' }
  - { label: lint, key: lint, command: 'echo clean' }
  - wait
  - { label: deploy, key: deploy, command: 'echo never' }
`;

test('shows what ran in the built-in service and what took long', async () => {
  const { home, adminToken, url } = await useService();
  const folder = join(home.root, 'web');
  await mkdir(folder);
  await writeFile(join(folder, 'pipeline.yml'), pipeline);
  const added = await fetch(`${url}/local/v1/organizations/local/pipelines`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder, file: join(folder, 'pipeline.yml'), slug: 'web' }),
  });
  expect(added.status).toBe(201);
  const create = ['builds', 'create', '-p', 'web', '-c', 'HEAD', '-b', 'main', '--watch'];
  expect((await cictl(create, { home })).exitCode).toBe(1);

  const json = await cictl(['builds', 'report', 'web/1', '--json'], { home });
  const data = JSON.parse(json.stdout) as BuildReport;
  const keyOf = (id: string) => data.jobs.find((job) => job.id === id)?.step_key;
  expect(data.critical_path.map(keyOf)).toEqual(['build', 'unit']);
  expect(data.failures.map(({ last_line }) => last_line)).toEqual(['expected 4, got 5']);
  const page = await cictl(['builds', 'report', 'web/1', '--logs', 'all'], { home });
  expect([page.exitCode, page.stderr]).toEqual([0, '']);
  expect(page.stdout).toMatch(/<mark>.*expected 4, got 5/);
  expect(page.stdout).toContain('clean</div>');
  expect(page.stdout).toContain('<svg');
  expect(page.stdout).not.toMatch(/<form|<script|form_token/);
});
