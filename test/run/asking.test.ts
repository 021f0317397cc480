/** On a terminal, `cictl run` prompts for block and input steps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { pipelineIn } from './pipelines.ts';

const release = `
steps:
  - { label: build, command: echo built }
  - block: ':rocket: Release?'
    key: gate
    prompt: Is the changelog there?
    fields:
      - { text: Version, key: version, format: 'v[0-9]+', hint: as in the tag }
      - select: Where
        key: where
        multiple: true
        options: [{ label: Here, value: here }, { label: There, value: there }]
  - { label: deploy, command: 'echo released' }
`;

async function answering(
  ...keys: readonly { readonly after: string | RegExp; readonly type: string }[]
) {
  const home = await useHome();
  await pipelineIn(home, 'demo', release);
  return cictlInTerminal(['run', 'demo'], { home, keys });
}

test.skipIf(!hasTerminal)(
  'prompts for the fields of a block, and again for invalid values',
  async () => {
    const { screen, exitCode } = await answering(
      { after: /Unblock it\?.* /, type: 'y\r' },
      { after: /Version.*: /, type: '\r' },
      { after: /is required[^]*Version.*: /, type: '1.2\r' },
      { after: /Where.*: /, type: '1,2\r' },
      { after: /does not match the format[^]*Version.*: /, type: 'v12\r' },
      { after: /Where.*: /, type: '2, here\r' },
    );
    expect(exitCode, screen).toBe(0);
    expect(screen).toMatch(/Is the changelog there\?[^]*"🚀 Release\?" is blocked/);
    expect(screen).toContain('as in the tag');
    expect(screen).toContain('2) There (there)');
    expect(screen).toMatch(/✓ passed.*deploy/);
    expect(screen.match(/\| built/g)?.length).toBe(1);
  },
);

test.skipIf(!hasTerminal)('prompts again only for an invalid option', async () => {
  const { screen, exitCode } = await answering(
    { after: /Unblock it\?.* /, type: 'y\r' },
    { after: /Version.*: /, type: 'v1\r' },
    { after: /Where.*: /, type: '1,7\r' },
    { after: /"7" is not one of the options[^]*Where.*: /, type: '1,\r' },
  );
  expect(exitCode, screen).toBe(0);
  expect(screen.match(/Version .*: /g)).toHaveLength(1);
});

test.skipIf(!hasTerminal)('without a yes, the build stays blocked', async () => {
  const { screen, exitCode } = await answering({ after: /Unblock it\?.* /, type: '\r' });
  expect(exitCode).toBe(4);
  expect(screen.replace(/\r\n/g, '')).toContain('cictl job unblock demo/1#gate --profile local');
  expect(screen).not.toMatch(/passed.*deploy/);
});

test.skipIf(!hasTerminal).each([
  ['the question', [{ after: /Unblock it\?.* /, type: '\x04' }]],
  [
    'a field',
    [
      { after: /Unblock it\?.* /, type: 'y\r' },
      { after: /Version.*: /, type: '\x04' },
    ],
  ],
])('ending the input at %s leaves the build blocked', async (_where, keys) => {
  const { screen, exitCode } = await answering(...keys);
  expect(exitCode, screen).toBe(4);
  expect(screen).toContain('cictl job unblock');
});

test.skipIf(!hasTerminal)('prompts while other jobs keep running', async () => {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    `
steps:
  - { label: slow, command: 'echo begun; until test -e go; do sleep 0.05; done; echo over' }
  - { block: Release?, key: gate, depends_on: [] }
  - { label: deploy, depends_on: gate, command: 'echo released; touch go' }
`,
  );
  const { screen, exitCode } = await cictlInTerminal(['run', 'demo', '--jobs', '2'], {
    home,
    keys: [{ after: /Unblock it\?.* /, type: 'y\r' }],
  });
  expect(exitCode, screen).toBe(0);
  // One exits because the other has run, and both logs are requested in one poll.
  expect(screen).toMatch(/Unblock it[^]*released/);
  expect(screen).toMatch(/Unblock it[^]*over/);
  expect(screen.match(/\| begun/g)?.length).toBe(1);
});

test.skipIf(!hasTerminal)('declining while other jobs run is final', async () => {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    `
steps:
  - { label: slow, command: 'until test -e go; do sleep 0.05; done; echo over' }
  - { block: Release?, key: gate, depends_on: [] }
`,
  );
  const { screen, exitCode } = await cictlInTerminal(['run', 'demo'], {
    home,
    timeout: 60_000,
    keys: [{ after: /Unblock it\?.* /, type: 'n\r' }],
    seen: (shown) => {
      if (/Unblock it[^]*running/.test(shown)) writeFileSync(join(home.cwd, 'demo/go'), '');
    },
  });
  expect(exitCode, screen).toBe(4);
  expect(screen).toContain('over');
  expect(screen.match(/Unblock it/g)?.length).toBe(1);
  expect(screen).toContain('cictl job unblock');
});
