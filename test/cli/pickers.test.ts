/** Interactive choices and forms on a terminal, with the built-in service. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { createService, type TestService } from '../support/service.ts';

const pipeline = `
steps:
  - { label: Lint, key: lint, command: 'echo linted' }
  - { label: Unit, key: unit, command: 'exit 3', soft_fail: true }
  - { label: ':rocket: End to end', key: e2e, command: 'echo "it broke"; exit 4', soft_fail: true }
  - block: Release?
    key: gate
    prompt: Is the changelog there?
    fields:
      - { text: Version, key: version, format: 'v[0-9]+' }
      - { select: Where, key: where, required: false, options: [{ label: Here, value: here }] }
  - { block: Announce?, key: announce, depends_on: [] }
`;
const quick = "steps: [{ label: Only, command: 'true' }]";

describe.skipIf(!hasTerminal)('on a terminal', () => {
  let service: TestService;
  /** Builds 1, 2 and 3 are blocked, 4 has passed. */
  beforeAll(async () => {
    service = await createService();
    await addPipeline('web', pipeline);
    for (const message of ['First', 'Second', 'Third']) await create('web', message, 4);
    await addPipeline('quick', quick);
    await create('quick', 'Done', 0);
  });
  afterAll(() => service.stop());

  async function addPipeline(slug: string, yaml: string): Promise<void> {
    const folder = join(service.home.root, slug);
    await mkdir(folder);
    await writeFile(join(folder, 'pipeline.yml'), yaml);
    const added = await fetch(`${service.url}/local/v1/organizations/local/pipelines`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.adminToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ folder, file: join(folder, 'pipeline.yml'), slug }),
    });
    expect(added.status).toBe(201);
  }

  async function create(slug: string, message: string, code: number): Promise<void> {
    const args = ['builds', 'create', '-p', slug, '-c', 'HEAD', '-b', 'main', '-m', message];
    const { exitCode, stderr } = await cictl([...args, '--watch'], { home: service.home });
    expect(exitCode, stderr).toBe(code);
  }

  type Keys = readonly { readonly after: string | RegExp; readonly type: string }[];
  const typing = (args: readonly string[], keys: Keys, columns = 80) =>
    cictlInTerminal(args, { home: service.home, keys, columns });

  test('Esc closes a picker', async () => {
    const keys = [{ after: /❯ 3 /, type: '\x1b' }];
    const { screen, exitCode } = await typing(['builds', 'cancel', '-p', 'web'], keys);
    expect(exitCode).toBe(2);
    expect(screen).toContain('canceled: no answer');
  });

  test('Tab narrows to the current row, a truncated one too', async () => {
    const keys = [
      { after: /❯ [^]*…/, type: '\t' },
      { after: /web\/1\?[^]*…[^]*❯/, type: '\r' },
    ];
    const args = ['job', 'log', '--build', 'web/1'];
    const { screen, exitCode } = await typing(args, keys, 28);
    expect(exitCode, screen).toBe(0);
    expect(screen).not.toContain('No results');
  });

  test('job unblock offers only blocked steps, prompts for fields, and repeats invalid ones', async () => {
    const { screen, exitCode } = await typing(
      ['job', 'unblock', '-p', 'web'],
      [
        { after: /❯ 3 /, type: 'first' },
        { after: /first[^]*❯ 1 /, type: '\r' },
        { after: /❯ .*Release/, type: '\r' },
        { after: /Version.*: /, type: '12\r' },
        { after: /Where.*: /, type: '\r' },
        { after: /format[^]*Version.*: /, type: 'v12\r' },
        { after: /Where.*: /, type: '1\r' },
      ],
    );
    expect(exitCode, screen).toBe(0);
    expect(screen).toMatch(/Is the changelog there\?[^]*Version/);
    expect(screen).not.toMatch(/Lint|End to end/);
    const again = await cictl(['job', 'view', 'web/1#gate', '--jq', '.state'], service);
    expect(again.stdout).toBe('unblocked\n');
  });

  test('job unblock prompts only for the missing field', async () => {
    const { screen, exitCode } = await typing(
      ['job', 'unblock', 'web/2#gate', '--field', 'where=here'],
      [{ after: /Version.*: /, type: 'v1\r' }],
    );
    expect(exitCode, screen).toBe(0);
    expect(screen).not.toContain('Where');
  });

  test('unblocks a step without fields without a prompt', async () => {
    const { screen, exitCode } = await typing(['job', 'unblock', 'web/2#announce'], []);
    expect(exitCode, screen).toBe(0);
  });

  test('job log offers failed jobs first, then others with a log', async () => {
    const { screen, exitCode } = await typing(
      ['job', 'log', '--build', 'web/3'],
      [
        { after: /❯ /, type: 'e2e' },
        { after: /e2e[^]*❯ .*End to end/, type: '\r' },
      ],
    );
    expect(exitCode, screen).toBe(0);
    expect(screen).toContain('it broke');
    expect(screen).not.toContain('Release?');
    expect(screen).toContain('🚀 End to end');
  });

  test('builds cancel reports that nothing can be canceled', async () => {
    const { screen, exitCode } = await typing(['builds', 'cancel', '-p', 'quick'], []);
    expect(exitCode).toBe(7);
    expect(screen).toContain('pipeline local/quick has no unfinished build');
  });

  test('builds cancel shows what it cancels, and does not prompt for a finished build', async () => {
    const ended = await typing(['builds', 'cancel', 'quick/1'], []);
    expect(ended.exitCode).toBe(8);
    expect(ended.screen).toContain('cannot cancel local/quick/1: it is passed');
    const { screen, exitCode } = await typing(
      ['builds', 'cancel', 'web/3', 'quick/1', 'web/99'],
      [{ after: 'y/N', type: 'y\r' }],
    );
    expect(exitCode, screen).toBe(8);
    expect(screen).toContain('Cancel local/web/3 (blocked, main, "Third")? [y/N]');
    expect(screen).toContain('cannot cancel local/quick/1: it is passed');
    expect(screen).toMatch(/2 of 3 builds were not canceled/);
    const after = await cictl(['builds', 'view', 'web/3', '--jq', '.state'], service);
    expect(after.stdout).toBe('canceled\n');
  });

  test('job delete-log names job, build and branch, and does not prompt without a log', async () => {
    const none = await typing(['job', 'delete-log', 'web/3#gate'], []);
    expect(none.exitCode).toBe(8);
    expect(none.screen).toContain(
      'job "Release?" of local/web/3 has not started, so it has no log',
    );
    const { screen, exitCode } = await typing(
      ['job', 'delete-log', 'web/3#lint'],
      [{ after: 'y/N', type: 'n\r' }],
    );
    expect(exitCode).toBe(2);
    expect(screen).toContain('Delete the log of "Lint" (local/web/3, passed, main) permanently?');
  });

  test('local reset does not prompt without data', async () => {
    const { screen, exitCode } = await typing(['local', 'reset'], []);
    expect([exitCode, screen]).toEqual([0, expect.stringContaining('no data in ')]);
  });

  test.each([80, 40])('at %i columns, a build is one line', async (columns) => {
    const { screen } = await typing(
      ['builds', 'rebuild', '-p', 'web'],
      [{ after: '❯', type: '\x03' }],
      columns,
    );
    expect(screen).toMatch(/❯ 3 {2}\S \w+ +main/);
    expect(screen).toMatch(/\r\n {2}1 {2}/);
  });
});
