import { AgentError, type Command, jobFlag } from './command.ts';
import { redact } from './redact.ts';
import { ask } from './send.ts';
import { readInput } from './print.ts';

/** 1 MiB, in bytes. */
const maxBody = 1024 * 1024;

const scope = {
  name: 'scope',
  value: 'build or job',
  env: ['BUILDKITE_ANNOTATION_SCOPE'],
  default: 'build',
  help: 'Where the public service shows it; here always with the build',
} as const;

const contextHelp = 'Annotations with the same context are one';

export const annotateCommands: readonly Command[] = [
  {
    name: 'annotate',
    summary: 'Annotate the build',
    args: '[body]',
    flags: [
      {
        name: 'context',
        value: 'name',
        env: ['BUILDKITE_ANNOTATION_CONTEXT'],
        help: contextHelp,
      },
      {
        name: 'style',
        value: 'style',
        env: ['BUILDKITE_ANNOTATION_STYLE'],
        help: 'success, info, warning or error',
      },
      { name: 'append', env: ['BUILDKITE_ANNOTATION_APPEND'], help: 'Add to what is there' },
      {
        name: 'priority',
        value: '1 to 10',
        env: ['BUILDKITE_ANNOTATION_PRIORITY'],
        default: '3',
        help: 'The higher, the further up',
      },
      jobFlag,
      scope,
    ],
    async run(given) {
      const what = 'failed to annotate build';
      const body = redact(given, given.args[0] || (await readInput()));
      const size = Buffer.byteLength(body);
      if (size > maxBody)
        throw new AgentError(`annotation body size (${size}) exceeds maximum (${maxBody})`);
      const [context, style] = [given.text('context'), given.text('style')];
      await ask(given, what, {
        method: 'POST',
        path: `/jobs/${encodeURIComponent(given.text('job'))}/annotations`,
        body: {
          ...(body !== '' && { body }),
          ...(context !== '' && { context }),
          ...(style !== '' && { style }),
          ...(given.on('append') && { append: true }),
          ...{ priority: priorityOf(given.text('priority')), scope: given.text('scope') },
        },
      });
      return 0;
    },
  },
  {
    name: 'annotation remove',
    summary: 'Remove an annotation',
    args: '',
    flags: [
      {
        name: 'context',
        value: 'name',
        env: ['BUILDKITE_ANNOTATION_CONTEXT'],
        default: 'default',
        help: contextHelp,
      },
      scope,
      jobFlag,
    ],
    async run(given) {
      const job = encodeURIComponent(given.text('job'));
      const context = encodeURIComponent(given.text('context'));
      await ask(given, 'failed to remove annotation', {
        method: 'DELETE',
        path: `/jobs/${job}/annotations/${context}?scope=${given.text('scope')}`,
      });
      return 0;
    },
  },
];

function priorityOf(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new AgentError(`invalid value "${text}" for flag -priority`);
  return Number(text);
}
