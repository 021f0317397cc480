/**
 * Command lines that were composed from the command definitions are parsed correctly; all others
 * fail with exit code 2.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completionLines } from '../../src/cli/completion/complete.ts';
import { systemClock } from '../../src/common/clock.ts';
import { errorText } from '../../src/cli/error-text.ts';
import { globalOptions } from '../../src/cli/globals.ts';
import { parse, wantsJson } from '../../src/cli/parse.ts';
import { readCommandLine } from '../../src/cli/program.ts';
import { entries } from '../../src/cli/tree.ts';
import { flagName, type Option, type Valued } from '../../src/command/command.ts';
import { createSecrets } from '../../src/terminal/secrets.ts';
import { bound, anyText, fuzzed, valueOrError } from '../support/fuzz.ts';

const commands = entries.map(({ command }) => command);
const words = [...new Set(commands.flatMap(({ name }) => name.split(' ')))];
const allOptions = commands.flatMap(({ options }) => Object.entries<Option>(options));
const flags = [
  ...new Set(
    [...allOptions, ...Object.entries<Option>(globalOptions)].flatMap(([key, { short }]) => [
      `--${flagName(key)}`,
      ...(short === undefined ? [] : [`-${short}`]),
    ]),
  ),
];
const text = anyText(['-', '--', '=', 'a', ' '], 5);
const argument = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...flags),
  fc.tuple(fc.constantFrom(...flags), text).map(([flag, value]) => `${flag}=${value}`),
  fc.constantFrom('--', '-', '-qy', '-qyz', '--json=a,b', '--no-color', '-L5', '-1'),
  text,
);
const someCommand = fc.constantFrom(...commands).map(({ name }) => name.split(' '));
const line = fc
  .tuple(fc.oneof(someCommand, fc.constant([])), fc.array(argument, { maxLength: 6 }))
  .map((parts) => parts.flat());

test('any arguments are a valid call or exit with 2 and one line', () => {
  let runs = 0;
  fc.assert(
    fc.property(line, (args) => {
      const found = valueOrError(() => parse(args), 'usage');
      const { flags } = readCommandLine(args);
      expect(typeof wantsJson(flags, {})).toBe('boolean');
      if ('value' in found) runs += found.value.kind === 'run' ? 1 : 0;
      else {
        const report = errorText(found.error, { flags: [], env: {}, secrets: createSecrets() });
        expect(report).toMatch(/^cictl: [^\n]+\n(?:  try: [^\n]+\n)?$/);
        expect(report).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      }
    }),
    fuzzed(1000),
  );
  expect(runs).toBeGreaterThan(bound(50));
});

const valued = commands.flatMap((command) => {
  const options = Object.entries<Option>({ ...globalOptions, ...command.options }).filter(
    (each): each is [string, Valued] =>
      each[1].value !== undefined && each[1].type === undefined && each[1].choices === undefined,
  );
  return options.length === 0 || command.passThrough !== undefined ? [] : [{ command, options }];
});

const drawn = fc.constantFrom(...valued).chain(({ command, options }) =>
  fc.record({
    command: fc.constant(command),
    options: fc.array(
      fc.record({
        of: fc.constantFrom(...options),
        value: text,
        // `--name=value`, `--name value`, `-n value`.
        form: fc.nat(2),
      }),
      { maxLength: 4 },
    ),
    isGlobalFirst: fc.boolean(),
  }),
);

test('every flag gets the value after it, whatever it looks like', () => {
  fc.assert(
    fc.property(drawn, ({ command, options, isGlobalFirst }) => {
      const texts = options.map(({ of: [key, { short }], value, form }) => {
        const long = `--${flagName(key)}`;
        if (form === 0) return [`${long}=${value}`];
        return [form === 1 || short === undefined ? long : `-${short}`, value];
      });
      const name = command.name.split(' ');
      const isOwn = options.some(({ of: [key] }) => !Object.hasOwn(globalOptions, key));
      const args =
        isGlobalFirst && !isOwn ? [...texts.flat(), ...name] : [...name, ...texts.flat()];
      const { flags, error, nodeFlag, entry, words } = readCommandLine(args);
      expect(nodeFlag).toBeUndefined();
      expect(entry?.command.name).toBe(command.name);
      // Missing parts, such as a required argument, are reported later.
      expect(error?.message ?? 'requires ').toMatch(/^\S+(?: \S+)* requires |^requires /);
      expect(words).toEqual([]);
      expect(flags.map(({ key, value }) => [key, value])).toEqual(
        options.map(({ of: [key], value }) => [key, value]),
      );
    }),
    fuzzed(1000),
  );
});

test('arguments after -- are values, whatever they look like', () => {
  fc.assert(
    fc.property(fc.array(argument, { maxLength: 3 }), (values) => {
      const { flags, words, behind } = readCommandLine(['job', 'env', 'x', '--', ...values]);
      expect([flags, words, behind]).toEqual([[], ['x', ...values], values.length]);
    }),
    fuzzed(1000),
  );
});

test('completion never fails, and each candidate is a line', async () => {
  const nowhere = { CICTL_CONFIG_DIR: '/dev/null', CICTL_CACHE_DIR: '/dev/null' };
  const world = { env: nowhere, cwd: '/', clock: systemClock, nodeVersion: '22.0.0', version: '0' };
  await fc.assert(
    fc.asyncProperty(line, async (args) => {
      const offered = await completionLines(args, world);
      expect(offered).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]/);
      expect(offered === '' || offered.endsWith('\n')).toBe(true);
    }),
    fuzzed(500),
  );
});
