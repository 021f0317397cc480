import { expect, test } from 'vitest';
import { entries } from './tree.ts';
import { flagName } from '../command/command.ts';
import { globalOptions } from './globals.ts';
import { toInvocation } from './parse.ts';
import { readCommandLine } from './program.ts';
import { asArgument, flagHabits, habits } from './habits.ts';
import { meantLine } from './meant.ts';

/** If the first word is a command itself, the second is its argument. */
const ofNoCommand = habits.filter(({ typed }) => !typed.startsWith('run '));

const forms = ofNoCommand.flatMap(({ typed, ...habit }) => {
  const flag = habit.flag === undefined ? '' : ` ${habit.flag}`;
  const argued = { ' 12': habit.ofBuild, ' 12#unit': habit.ofJob, ' web': habit.ofOther };
  return [
    [`${typed}${flag}`, habit.meant] as const,
    ...Object.entries(argued).flatMap(([argument, meant]) =>
      meant === undefined ? [] : [[`${typed}${argument}${flag}`, `${meant}${argument}`] as const],
    ),
  ];
});

test.each(forms)('%s is %s', (typed, meant) => {
  const args = meant.split(' ');
  const { entry, error } = readCommandLine(args);
  const isWhole = error === undefined;
  const help = [...(entry?.command.name ?? '').split(' '), '--help'];
  expect(meantLine(typed.split(' '))?.args).toEqual(isWhole ? args : help);
});

test('no habit is a valid command line, and none is listed twice', () => {
  const typed = ofNoCommand.map(({ typed, flag = '' }) => `${typed} ${flag}`.trim());
  const isWhole = (words: string) => {
    const { entry, error } = readCommandLine(words.split(' '));
    return entry !== undefined && error === undefined;
  };
  expect(typed.filter(isWhole)).toEqual([]);
  expect(typed.filter((words, at) => typed.indexOf(words) !== at)).toEqual([]);
});

test('each suggested flag exists', () => {
  const options = [globalOptions, ...entries.map(({ command }) => command.options)];
  const known = options.flatMap((one) => Object.keys(one).map((key) => `--${flagName(key)}`));
  const words = flagHabits.flatMap(({ meant }) => meant.map((text) => text.split(' ')[0] ?? ''));
  const unknown = words.filter((word) => word !== '' && word !== asArgument);
  expect(unknown.filter((word) => !known.includes(word))).toEqual([]);
});

const url = 'https://ci.test/acme/web/builds/7';

test.each([
  [`job log ${url} unit`, `job log ${url}#unit`],
  [`job log unit ${url}`, `job log unit --build ${url}`],
  [`job log ${url}#018f unit`, undefined],
  ['job log https://ci.test/acme/web unit', undefined],
  ['builds view web 7', 'builds view web/7'],
  ['builds create web', 'builds create --pipeline web'],
])('%s means %s', (typed, meant) => {
  expect(meantLine(typed.split(' '))?.args.join(' ')).toBe(meant);
});

test.each([
  ['builds list --nonsense'],
  ['nonsense'],
  ['pr create'],
  ['builds nonsense'],
  ['profile unset pipeline'],
  ['builds list --env-file x'],
  ['builds list -L x'],
])('suggests nothing for %s', (typed) => {
  expect(meantLine(typed.split(' '))).toBeUndefined();
});

test('leaves arguments after -- alone', () => {
  const typed = ['env', '12#unit', '--', 'make', '--since', '3', '-w'];
  expect(meantLine(typed)?.args).toEqual(['job', ...typed]);
});

test('suggests nothing for a valid line', () => {
  const args = ['builds', 'list', '-s', 'failed'];
  expect(toInvocation(readCommandLine(args)).kind).toBe('run');
  expect(meantLine(args)).toBeUndefined();
});
