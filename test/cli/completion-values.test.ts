/** Completes values from the built-in service and from a checkout, in real shells. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { createRepository } from '../support/git-repository.ts';
import { withPrograms } from '../support/on-path.ts';
import { hasTerminal, inTerminal } from '../support/pty.ts';
import { createService, type TestService } from '../support/service.ts';

const pipeline = `
steps:
  - { label: Unit, key: unit, command: 'exit 3' }
  - { label: Lint, key: lint, command: 'true' }
  - { wait: null, continue_on_failure: true }
  - { block: 'Release?', key: gate }
`;
/** A branch name that a shell would execute if it were inserted unquoted. */
const hostile = 'fix/$(touch${IFS}pwned)';

const state: { service?: TestService; env?: Record<string, string>; checkout?: string } = {};

beforeAll(async () => {
  const service = await createService();
  state.service = service;
  const { home } = service;
  const checkout = join(home.root, 'web');
  await mkdir(checkout);
  const { commit, git } = createRepository(checkout);
  commit({ 'pipeline.yml': pipeline });
  git('branch', hostile);
  await addPipeline(service, checkout);
  const create = ['builds', 'create', '-p', 'web', '-c', 'HEAD', '-b', 'main'];
  for (const message of ['first', 'second']) {
    const { exitCode, stderr } = await cictl([...create, '-m', message, '--watch'], { home });
    expect(exitCode, stderr).toBe(4);
  }
  await cictl(['annotate', 'no', '--context', 'style', '--build', 'web/1'], { home });
  const login = ['auth', 'login', '--service', service.url, '--profile', 'local', '--with-token'];
  const { exitCode, stderr } = await cictl(login, { home, stdin: service.token });
  expect(exitCode, stderr).toBe(0);
  Object.assign(state, { checkout, env: await withPrograms(home) });
});

afterAll(() => state.service?.stop());

async function addPipeline({ url, adminToken }: TestService, folder: string): Promise<void> {
  const { status } = await fetch(`${url}/local/v1/organizations/local/pipelines`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder, file: join(folder, 'pipeline.yml'), slug: 'web' }),
  });
  expect(status).toBe(201);
}

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

async function run(program: string, args: readonly string[]): Promise<string[]> {
  const { env, checkout } = state;
  const { stdout } = await promisify(execFile)(program, args, { env, cwd: checkout });
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  [
    ['builds', 'view', 'web/'],
    ['web/2\tblocked  second', 'web/1\tblocked  first', 'web/latest\tthe newest build'],
  ],
  [
    ['job', 'log', 'web/1#'],
    ['web/1#unit\tfailed  Unit', 'web/1#lint\tpassed  Lint', 'web/1#gate\tblocked  Release?'],
  ],
  [['job', 'unblock', 'web/2#'], ['web/2#gate\tblocked  Release?']],
  [['builds', 'list', ''], ['web\t2 blocked  second']],
  [['local', 'open', 'w'], ['web\t2 blocked  second']],
  [['local', 'open', 'local/'], ['local/web\t2 blocked  second']],
  [
    ['local', 'open', 'web/'],
    ['web/2\tblocked  second', 'web/1\tblocked  first', 'web/latest\tthe newest build'],
  ],
  [['local', 'open', 'web/1#u'], ['web/1#unit\tfailed  Unit']],
  [
    ['local', 'open', '--pipeline=web', ''],
    [
      'web\t2 blocked  second',
      ...['2\tblocked  second', '1\tblocked  first', 'latest\tthe newest build'],
    ],
  ],
  [['annotations', 'view', '--build=web/1', ''], ['style\tinfo   no']],
  [['orgs', 'view', ''], ['local\tLocal']],
])('%j', async (words, lines) => {
  expect(await run('cictl', ['__complete', ...words])).toEqual(lines);
});

test('completes queues and branches', async () => {
  const queues = await run('cictl', ['__complete', 'metrics', '--queue', '']);
  expect(queues.map((line) => line.split('\t')[0])).toContain('default');
  const branches = await run('cictl', ['__complete', 'builds', 'list', '-b', '']);
  expect(branches.map((line) => line.split('\t')[0]).sort()).toEqual([hostile, 'main']);
});

/** What bash would insert for each candidate. */
const bashReplies = (...words: string[]): Promise<string[]> =>
  run('bash', [
    '--norc',
    '-c',
    `eval "$(cictl completion bash)"
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
    _cictl
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);

test.skipIf(!has('bash'))('bash completes builds, step keys and branches', async () => {
  expect(await bashReplies('cictl', 'job', 'log', 'web/1#')).toEqual([
    'web/1#unit',
    'web/1#lint',
    'web/1#gate',
  ]);
  expect(await bashReplies('cictl', 'builds', 'view', '--profile', 'none', 'web/')).toEqual([]);
  expect(await bashReplies('cictl', 'builds', 'list', '--branch', '=', 'ma')).toEqual(['main']);
});

test.skipIf(!has('bash'))('quotes a branch with characters special to bash', async () => {
  const [reply = ''] = await bashReplies('cictl', 'builds', 'list', '-b', 'fix');
  const [word = ''] = await run('bash', ['--norc', '-c', `printf '%s\\n' ${reply}`]);
  expect(word).toBe(hostile);
  expect(await readdir(state.checkout ?? '')).not.toContain('pwned');
});

test.skipIf(!has('fish'))('fish shows states and messages, the newest build first', async () => {
  const complete = (line: string): Promise<string[]> =>
    run('fish', ['--no-config', '-c', `cictl completion fish | source; complete -C '${line}'`]);
  expect(await complete('cictl builds view web/')).toEqual([
    'web/2\tblocked  second',
    'web/1\tblocked  first',
    'web/latest\tthe newest build',
  ]);
  expect(await complete('cictl job log "web/1#u')).toEqual(['web/1#unit\tfailed  Unit']);
});

interface Typing {
  readonly name: string;
  readonly start: readonly string[];
  readonly load: string;
  /** Matches the listed candidates of `builds view web/` with their descriptions. */
  readonly listed: RegExp;
  readonly key: RegExp;
}

const typings: readonly Typing[] = [
  {
    name: 'bash',
    start: ['bash', '--norc', '--noprofile', '-i'],
    load: 'eval "$(cictl completion bash)"',
    listed: /web\/2 +\(blocked {2}second\)[^]*web\/1 +\(blocked {2}first\)/,
    key: /web\/1#unit/,
  },
  {
    name: 'zsh without compinit',
    start: ['zsh', '-f', '-i'],
    load: 'source <(cictl completion zsh)',
    listed: /web\/2 +-- blocked {2}second[^]*web\/1 +-- blocked {2}first/,
    // Zsh quotes characters that it could interpret as a pattern.
    key: /\\#unit/,
  },
];

test.skipIf(!hasTerminal).each(typings.filter(({ start: [shell = ''] }) => has(shell)))(
  '$name completes and describes words',
  async ({ start, load, listed, key }) => {
    const { service, env, checkout } = state;
    if (service === undefined || checkout === undefined) throw new Error('no service');
    const { screen } = await inTerminal(start, {
      ...{ home: service.home, cwd: checkout },
      env: { ...env, TERM: 'dumb', PS1: 'ready> ' },
      keys: [
        { after: 'ready> ', type: `${load}; echo loa''ded\r` },
        { after: /loaded[^]*ready> /, type: 'cictl builds view web/\t\t' },
        { after: listed, type: '\x15cictl job log web/1#u\t' },
        { after: key, type: `\x15cictl job log 'web/1#li\t` },
        { after: /'web\/1#lint/, type: '\x15exit\r' },
      ],
    });
    expect(screen).toMatch(listed);
    expect(screen).toMatch(key);
  },
);

test.skipIf(!has('zsh'))('zsh finds the script in a custom directory too', async () => {
  const folder = join(state.service?.home.root ?? '', 'functions');
  await mkdir(folder, { recursive: true });
  const [...script] = await run('cictl', ['completion', 'zsh']);
  await writeFile(join(folder, '_cictl'), `${script.join('\n')}\n`);
  const load = `fpath=('${folder}' $fpath); autoload -Uz compinit; compinit -D -u; print $_comps[cictl]`;
  expect(await run('zsh', ['-f', '-c', load])).toEqual(['_cictl']);
});

test.skipIf(!has('zsh'))('zsh keeps the completion if compinit runs later', async () => {
  const later = 'autoload -Uz compinit; compinit -D -u';
  const line = `source <(cictl completion zsh); ${later}; print $_comps[cictl]`;
  expect(await run('zsh', ['-f', '-c', line])).toEqual(['_cictl']);
});
