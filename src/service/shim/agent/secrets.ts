import { AgentError, type Command, type Given, jobFlag } from './command.ts';
import { formatOf, note, print, readInput, readText } from './print.ts';
import { secretNames } from './redact.ts';
import { ask, pathOf, send } from './send.ts';

export const secretCommands: readonly Command[] = [
  {
    name: 'redactor add',
    summary: 'Redact values from the rest of the job log; reads a file or standard input',
    args: '[file]',
    flags: [
      {
        name: 'format',
        value: 'none or json',
        env: ['BUILDKITE_AGENT_REDACT_ADD_FORMAT'],
        default: 'none',
        help: 'Input format: none (a single value) or json (an object with values)',
      },
      {
        name: 'apply-vars-filter',
        env: ['BUILDKITE_AGENT_REDACT_VARS_FILTER'],
        help: 'Only redact values in the object whose names match --redacted-vars',
      },
    ],
    run: addRedactions,
  },
  {
    name: 'secret get',
    summary: 'Print secrets (--secret, --secret-file); they are always redacted in the log',
    args: '<key>...',
    needs: ['secret key'],
    flags: [
      jobFlag,
      {
        name: 'format',
        value: 'default, json or env',
        env: ['BUILDKITE_AGENT_SECRET_GET_FORMAT'],
        default: 'default',
        help: 'Output format; default: the plain value of a single secret, JSON for several',
      },
      // This flag has no effect, because secrets are always redacted.
      { name: 'skip-redaction', help: '' },
    ],
    run: getSecrets,
  },
  {
    name: 'oidc request-token',
    summary: 'Unsupported: no OIDC tokens are issued on this machine',
    args: '',
    flags: [
      jobFlag,
      ...['audience', 'lifetime', 'subject-claim', 'claim', 'aws-session-tag', 'format'].map(
        (name) => ({ name, value: 'value', help: '' }),
      ),
      { name: 'skip-redaction', help: '' },
    ],
    async run(given) {
      const audience = given.text('audience');
      const target = audience === '' ? 'default audience' : `audience ${audience}`;
      const call = { path: `${pathOf(given, 'job')}/oidc/tokens`, body: { audience } };
      await ask(given, `could not obtain OIDC token for ${target}`, call);
    },
  },
];

async function addRedactions(given: Given): Promise<undefined> {
  const [file] = given.args;
  const format = formatOf(given, 'format', ['none', 'json']);
  if (file === undefined) note(given, 'Reading secrets from (stdin) for redaction');
  const text = file === undefined ? await readInput() : readText(file, 'failed to read');
  const values = format === 'none' ? [text.trim()] : valuesIn(given, text);
  const call = { path: '/local/v1/job/redactions', body: { values } };
  await ask(given, 'failed to add redactions', call);
}

function valuesIn(given: Given, text: string): string[] {
  const entries = entriesOf(text);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    throw new AgentError('failed to parse secrets: the JSON must be an object with string values');
  if (!given.on('apply-vars-filter')) return entries.map(([, value]) => value);
  const isSecret = secretNames(given);
  return entries.flatMap(([name, value]) => (isSecret(name) && value.length >= 6 ? [value] : []));
}

function entriesOf(text: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.entries(value);
  } catch {
    // The error is reported below.
  }
  throw new AgentError('failed to parse secrets: the input must be a JSON object');
}

async function getSecrets(given: Given): Promise<undefined> {
  const format = formatOf(given, 'format', ['default', 'json', 'env']);
  const found = new Map<string, string>();
  const failures: string[] = [];
  for (const key of given.args) {
    const path = `${pathOf(given, 'job')}/secrets?key=${encodeURIComponent(key)}`;
    const { status, body } = await send(given, { method: 'GET', path });
    const { value, message = `status ${status}` } = (body ?? {}) as Record<string, string>;
    if (status < 300 && value !== undefined) found.set(key, value);
    else failures.push(` - secret "${key}": ${message}`);
  }
  if (failures.length > 0)
    throw new AgentError(`Failed to fetch some secrets:\n${failures.join('\n')}`);
  print(shown(found, format));
}

function shown(secrets: ReadonlyMap<string, string>, format: 'default' | 'json' | 'env'): string {
  const [first = ''] = secrets.values();
  if (format === 'default' && secrets.size === 1) return first;
  if (format !== 'env') return `${JSON.stringify(Object.fromEntries(secrets))}\n`;
  return [...secrets].map(([key, value]) => `${key.toUpperCase()}=${quoted(value)}\n`).join('');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
