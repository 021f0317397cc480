import { AgentError, type Command, type Flag, type Given, jobFlag } from './command.ts';
import { redact } from './redact.ts';
import { ask, pathOf, refusal, send } from './send.ts';
import { note, print, readInput } from './print.ts';

const buildFlag: Flag = {
  name: 'build',
  value: 'id',
  env: ['BUILDKITE_METADATA_BUILD_ID'],
  help: 'The build to use (default: the build of the job); must be that build or a build that triggered it',
};

/** Exit code of `exists` if the key does not exist. */
const absent = 100;

export const metaDataCommands: readonly Command[] = [
  {
    name: 'meta-data set',
    summary: 'Set meta-data on the build; without a value, reads standard input',
    args: '<key> [value]',
    needs: ['meta-data key'],
    flags: [jobFlag],
    async run(given) {
      const [key = '', value] = given.args;
      if (value === undefined) note(given, 'Reading meta-data value from STDIN');
      await set(given, 'set', [[key, value ?? (await readInput())]]);
    },
  },
  {
    name: 'meta-data set-batch',
    summary: 'Set several meta-data values on the build at once',
    args: '<key=value>...',
    needs: ['meta-data key=value pair'],
    flags: [jobFlag],
    async run(given) {
      await set(given, 'set-batch', given.args.map(pairOf));
    },
  },
  {
    name: 'meta-data get',
    summary: 'Print a meta-data value of the build',
    args: '<key>',
    needs: ['meta-data key'],
    flags: [
      { name: 'default', value: 'value', help: 'The value to print if the key does not exist' },
      jobFlag,
      buildFlag,
    ],
    async run(given) {
      const [key = ''] = given.args;
      const reply = await send(given, { ...data(given, 'get'), body: { key } });
      if (reply.status === 404 && given.has('default')) {
        const value = given.text('default');
        const found = `No meta-data value exists with key "${key}"`;
        note(given, `${found}, returning the supplied default "${value}"`);
        print(value);
        return;
      }
      if (reply.status >= 300) throw refusal('failed to get meta-data', reply);
      print((reply.body as { value: string }).value);
    },
  },
  {
    name: 'meta-data exists',
    summary: `Check whether a meta-data key exists: exit with 0 if it does, ${absent} if not`,
    args: '<key>',
    needs: ['meta-data key'],
    flags: [jobFlag, buildFlag],
    async run(given) {
      const call = { ...data(given, 'exists'), body: { key: given.args[0] } };
      const found = await ask(given, 'failed to see if meta-data exists', call);
      return (found as { exists: boolean }).exists ? 0 : absent;
    },
  },
  {
    name: 'meta-data keys',
    summary: 'List all meta-data keys of the build',
    args: '',
    flags: [jobFlag, buildFlag],
    async run(given) {
      const keys = await ask(given, 'failed to find meta-data keys', data(given, 'keys'));
      print((keys as string[]).map((key) => `${key}\n`).join(''));
    },
  },
];

const data = (given: Given, action: string) => ({
  path: `${pathOf(given, given.text('build') === '' ? 'job' : 'build')}/data/${action}`,
});

function pairOf(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 0) throw new AgentError(`invalid argument "${word}": it must be key=value`);
  return [word.slice(0, at), word.slice(at + 1)];
}

async function set(
  given: Given,
  action: 'set' | 'set-batch',
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  const items = pairs.map(([key, value]) => ({ key, value: redact(given, value) }));
  if (items.some(({ key }) => key.trim() === ''))
    throw new AgentError('key cannot be empty, or composed of only whitespace characters');
  if (items.some(({ value }) => value.trim() === ''))
    throw new AgentError('value cannot be empty, or composed of only whitespace characters');
  const body = action === 'set' ? items[0] : { items };
  await ask(given, 'failed to set meta-data', { ...data(given, action), body });
}
