/** Whatever arguments a caller passes, only the tool's command runs, with listed flags only. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/cli/parse.ts';
import { flagName } from '../../src/command/command.ts';
import { commandLine, readValues } from '../../src/commands/mcp/call-tool.ts';
import {
  parametersOf,
  type ValueSchema,
  toolSchema,
  toolsFor,
} from '../../src/commands/mcp/tools.ts';
import { CictlError } from '../../src/errors.ts';
import { bound, anyText, fuzzed } from '../support/fuzz.ts';

const odd = [
  '--',
  '-',
  '--run',
  '-y',
  '--profile=x',
  '--web',
  '--out=x',
  '--base-url=x',
  '@/x',
  '@-',
];
const text = fc.oneof(
  fc.constantFrom(
    ...odd,
    'passed',
    '3',
    'web/1#unit',
    '--help',
    '-h',
    '--version',
    '- x',
    '--out x',
  ),
  anyText([...odd, '=', ' ']),
);
const scalar = fc.oneof({ weight: 4, arbitrary: text }, fc.integer(), fc.boolean());
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(text, scalar));

/** Mostly what the schema allows. */
function nearly({ type, enum: choices, items }: ValueSchema): fc.Arbitrary<unknown> {
  const one = fc.constantFrom(...(choices ?? items?.enum ?? [...odd, 'web/1#unit']));
  const fitting = {
    string: one,
    array: fc.array(one),
    boolean: fc.boolean(),
    integer: fc.nat(5000),
  };
  return fc.oneof({ weight: 30, arbitrary: fitting[type] }, value);
}

const flagsOfServer = ['format', 'maxBytes', 'tail', 'build', 'fields', 'jq', 'org', 'pipeline'];
const always = ['output', 'noInput', 'noColor', 'yes', 'dryRun', 'rest'];

test.each(toolsFor(true).map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  const parameters = parametersOf(tool);
  const names = parameters.map(({ name }) => name);
  const own = Object.keys({ ...tool.command.options, ...tool.command.arguments });
  const listed = own.filter((key) => names.includes(flagName(key).replaceAll('-', '_')));
  const allowed = new Set([...listed, ...flagsOfServer, ...always]);
  const given = fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, nearly(schema)])),
    { requiredKeys: [...(toolSchema(tool).inputSchema.required ?? [])] },
  );
  const isGiven = (one: unknown): boolean =>
    one !== undefined && one !== false && !(Array.isArray(one) && one.length === 0);
  let ran = 0;
  const property = fc.property(given, (args) => {
    try {
      const texts = readValues(tool.name, parameters, args);
      const invocation = parse(commandLine(tool, texts));
      if (invocation.kind !== 'run') throw new Error(invocation.kind);
      expect(invocation.entry.command).toBe(tool.command);
      const keys = Object.entries(invocation.input).filter(([, one]) => isGiven(one));
      expect(keys.filter(([key]) => !allowed.has(key))).toEqual([]);
      ran += 1;
    } catch (error) {
      if (!(error instanceof CictlError)) throw error;
      expect(error.kind).toBe('usage');
    }
  });
  fc.assert(property, fuzzed(200));
  // Some of them must be accepted.
  expect(ran).toBeGreaterThan(bound(10));
});
