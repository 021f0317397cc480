import { AgentError, type Command, type Flag, jobFlag } from './command.ts';
import { readInput } from './print.ts';
import { redact } from './redact.ts';
import { ask, pathOf } from './send.ts';

/** Maximum size of an annotation in bytes. */
const maxBody = 1024 * 1024;

const scopeFlag: Flag = {
  name: 'scope',
  value: 'build or job',
  env: ['BUILDKITE_ANNOTATION_SCOPE'],
  default: 'build',
  help: 'Where the public service shows the annotation (this service always shows it with the build)',
};

const contextFlag: Flag = {
  name: 'context',
  value: 'name',
  env: ['BUILDKITE_ANNOTATION_CONTEXT'],
  help: 'The context of the annotation; used to tell annotations apart',
};

export const annotateCommands: readonly Command[] = [
  {
    name: 'annotate',
    summary: 'Annotate the build with Markdown or HTML',
    args: '[body]',
    flags: [
      contextFlag,
      {
        name: 'style',
        value: 'style',
        env: ['BUILDKITE_ANNOTATION_STYLE'],
        help: 'The style of the annotation: success, info, warning or error',
      },
      {
        name: 'append',
        env: ['BUILDKITE_ANNOTATION_APPEND'],
        help: 'Append to an existing annotation',
      },
      {
        name: 'priority',
        value: '1 to 10',
        env: ['BUILDKITE_ANNOTATION_PRIORITY'],
        default: '3',
        help: 'The priority of the annotation; annotations with a higher priority are shown first',
      },
      jobFlag,
      scopeFlag,
    ],
    async run(given) {
      const body = redact(given, given.args[0] || (await readInput()));
      const size = Buffer.byteLength(body);
      if (size > maxBody)
        throw new AgentError(`annotation body size (${size}) exceeds maximum (${maxBody})`);
      const [context, style] = [given.text('context'), given.text('style')];
      const priority = given.text('priority');
      if (!/^-?\d+$/.test(priority))
        throw new AgentError(`invalid value "${priority}" for flag -priority`);
      await ask(given, 'failed to annotate build', {
        path: `${pathOf(given, 'job')}/annotations`,
        body: {
          ...(body !== '' && { body }),
          ...(context !== '' && { context }),
          ...(style !== '' && { style }),
          ...(given.on('append') && { append: true }),
          ...{ priority: Number(priority), scope: given.text('scope') },
        },
      });
    },
  },
  {
    name: 'annotation remove',
    summary: 'Remove an annotation',
    args: '',
    flags: [{ ...contextFlag, default: 'default' }, scopeFlag, jobFlag],
    async run(given) {
      const context = encodeURIComponent(given.text('context'));
      await ask(given, 'failed to remove annotation', {
        method: 'DELETE',
        path: `${pathOf(given, 'job')}/annotations/${context}?scope=${given.text('scope')}`,
      });
    },
  },
];
