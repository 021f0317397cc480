/** The process around a command: failing streams, a removed directory, uncaught errors. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve } from '../support/server.ts';
import { isExecutable, toolProgram, toolWords } from '../support/tool.ts';

test.skipIf(!existsSync('/dev/full'))('--version reports a full disk in one line', async () => {
  expect(await shell('"$@" --version > /dev/full')).toEqual({
    exitCode: 10,
    stderr: 'cictl: cannot write to standard output: ENOSPC: no space left on device, write',
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'the exit code is kept if the error cannot be printed',
  async () => {
    expect((await shell('"$@" builds list --nope 2> /dev/full')).exitCode).toBe(2);
  },
);

test.skipIf(!existsSync('/dev/full'))(
  'a full disk changes no exit code if there is no data',
  async () => {
    expect((await shell('"$@" local status > /dev/full')).exitCode).toBe(9);
  },
);

test('reports a deleted working directory', async () => {
  expect(await shell('mkdir gone; cd gone; rmdir ../gone; "$@" profile list')).toEqual({
    exitCode: 10,
    stderr: 'cictl: cannot use the working directory: it no longer exists\n  try: cd',
  });
});

test.skipIf(!hasTerminal)(
  'a dumb terminal gets no escape sequences, not even from a spinner',
  async () => {
    const hang = { path: /^\/v2\/builds/, answer: { fault: 'hang' } } as const;
    // The timeout may expire before the request is sent.
    const { url } = await serve([hang, hang, hang], { atMost: true });
    const { screen, exitCode } = await cictlInTerminal(
      ['builds', 'list', '--request-timeout', '400ms'],
      { home: await useHome(), env: { TERM: 'dumb', CICTL_BASE_URL: url, CICTL_TOKEN: 'token' } },
    );
    expect(exitCode).toBe(9);
    expect(screen).toMatch(/^cictl: cannot list builds: no response/m);
    expect(screen).not.toContain('\x1b');
  },
);

/** A package that instruments requests and throws outside of any call. */
const instrumentation = `
require('node:diagnostics_channel').subscribe('undici:request:create', () => {
  throw new TypeError('no span for\\nBearer ' + process.env.CICTL_TOKEN);
});
`;

test.skipIf(isExecutable).each([
  [[], 'cictl: internal error: no span for Bearer [REDACTED]\n'],
  [
    ['--json'],
    `${JSON.stringify({
      error: {
        ...{ code: 10, kind: 'internal', status: null },
        ...{ message: 'internal error: no span for\nBearer [REDACTED]', details: [], hint: null },
      },
    })}\n`,
  ],
])(
  'an error outside every call exits with 10 and one line without a stack: %j',
  async (args, stderr) => {
    const home = await useHome();
    const preload = join(home.root, 'instrumentation.cjs');
    await writeFile(preload, instrumentation);
    const { url } = await serve([{ path: /^\/v2\/builds/, answer: { fault: 'hang' } }], {
      atMost: true,
    });
    const env = {
      CICTL_BASE_URL: url,
      CICTL_TOKEN: 'hush-hush-token',
      NODE_OPTIONS: `--require=${preload}`,
    };
    expect(await cictl(['builds', 'list', ...args], { home, env })).toMatchObject({
      ...{ exitCode: 10, stdout: '', stderr },
    });
  },
);

/** A shell command in which `"$@"` is the tool. */
async function shell(line: string): Promise<{ exitCode: number | undefined; stderr: string }> {
  const { cwd, env } = await useHome();
  const { exitCode, stderr } = await execa('sh', ['-c', line, 'sh', toolProgram, ...toolWords], {
    ...{ cwd, env, extendEnv: false, reject: false },
  });
  return { exitCode, stderr };
}
