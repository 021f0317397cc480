/** Any pipeline file results in a plan or a list of errors, the same each time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CictlError } from '../../src/errors.ts';
import { loadPipeline } from '../../src/service/pipeline/load.ts';
import { bound, anyText, fuzzed } from '../support/fuzz.ts';

const sound = `env:
  A: one
  B: "\${A}-two"
agents: { queue: default }
steps:
  - label: ":rocket: Build"
    key: build
    command: ["make \${B}", 'echo $$HOME']
    if: build.branch == "main" || env("A") =~ /^o/
    retry: { automatic: [{ exit_status: "*", limit: 2 }] }
    matrix: { setup: { os: [linux, mac], n: [1, 2] }, adjustments: [{ with: { os: mac, n: 2 }, skip: true }] }
    artifact_paths: "dist/**"
  - wait: ~
    continue_on_failure: true
  - group: More
    steps:
      - &test { command: test, depends_on: build, parallelism: 3, soft_fail: [{ exit_status: 3 }] }
      - <<: *test
        command: |
          one
          two
  - block: Release?
    fields: [{ select: Where, key: where, options: [{ label: A, value: a }] }]
  - trigger: other
    build: { branch: main, env: { X: 1 } }
    branches: "main release/* !wip"
`;

const signs = [
  ...[
    '- ',
    ': ',
    '\n',
    '\n  ',
    '\n    ',
    '{',
    '}',
    '[',
    ']',
    '&a ',
    '*a',
    '<<: ',
    '!!',
    '!tag ',
    '|',
    '>',
  ],
  ...[
    '"',
    "'",
    '#',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '? ',
    ', ',
    '~',
    'null',
    '1e3',
    '0x1f',
    '.inf',
    'yes',
  ],
  ...[
    'steps',
    'command',
    'wait',
    'env',
    'key',
    'if',
    'depends_on',
    'matrix',
    '{{matrix}}',
    '$A',
    '${A',
    '\t',
  ],
];

function load(text: string): object {
  try {
    return loadPipeline(text, { file: 'p.yml', env: { A: 'x' } });
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    expect(error.kind).toBe('usage');
    expect(error.details).not.toEqual([]);
    for (const line of error.details) {
      expect(line).toMatch(/^p\.yml:\d+:\d+: \S|^p\.yml: more problems not shown$/);
      expect(line).not.toContain('[object Object]');
    }
    return error.details;
  }
}

/** A valid file with some parts removed, inserted or duplicated. */
const edited = fc
  .array(
    fc.tuple(
      fc.nat(sound.length),
      fc.nat(6),
      fc.oneof(fc.constantFrom('', 'a', ' '), anyText(signs, 2)),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((edits) =>
    edits.reduce(
      (text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length),
      sound,
    ),
  );

test('the edited file is valid', () => {
  expect(load(sound)).toHaveProperty('steps');
});

test('an edited file gives a plan or problems, and the same each time', () => {
  let accepted = 0;
  fc.assert(
    fc.property(edited, (text) => {
      const loaded = load(text);
      expect(load(text)).toEqual(loaded);
      accepted += Array.isArray(loaded) ? 0 : 1;
    }),
    fuzzed(200),
  );
  expect(accepted).toBeGreaterThan(bound(2));
});

test('any text gives a plan or a list of problems', () => {
  fc.assert(
    fc.property(anyText(signs, 30), (text) => {
      load(text);
      load(`steps:\n  - command: x\n    ${text}`);
    }),
    fuzzed(1000),
  );
});
