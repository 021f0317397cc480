import type { Bytes } from '../../api/log-bytes.ts';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { emojisFor } from '../../render/shortcodes.ts';
import { cleanLine } from '../../untrusted-text.ts';
import { nameOf } from './failed-log.ts';
import type { LogFormat } from './index.ts';
import { readText } from './log-values.ts';
import { shownBytes } from './shown-bytes.ts';

/** Takes the logs of several jobs. */
export interface LogTarget {
  readonly writeLog: (job: Job, bytes: Bytes) => Promise<void>;
  /** Why there is no log, in its place. */
  readonly writeNote: (job: Job, reason: string) => Promise<void>;
}

/** The logs one after the other with a header before each; JSON is nothing but the objects. */
export const logStream = (format: LogFormat, { out, settings }: StreamParts): LogTarget =>
  format === 'json' ? objects(out, settings.jq !== undefined) : texts(out, format);

type StreamParts = Pick<Context, 'out' | 'settings'>;

const objects = (out: Context['out'], isProgram: boolean): LogTarget => ({
  async writeLog(_, bytes) {
    if (isProgram) await out.document(await readText(bytes));
    else for await (const chunk of bytes) await out.write(chunk);
  },
  writeNote: () => Promise.resolve(),
});

function texts(out: Context['out'], format: LogFormat): LogTarget {
  const lines = lineWriter(out);
  return {
    async writeLog(job, bytes) {
      await lines.writeLine(await header(job, out));
      for await (const chunk of await shownBytes(bytes, format, out)) await lines.write(chunk);
    },
    async writeNote(job, reason) {
      await lines.writeLine(await header(job, out));
      await lines.writeLine(`(${cleanLine(reason)})`);
    },
  };
}

async function header(job: Job, { isTerminal }: Context['out']): Promise<string> {
  const name = nameOf(job);
  const shown = isTerminal ? (await emojisFor([name]))(name) : name;
  return `==> ${shown} (${cleanLine(job.id ?? '')}) <==`;
}

/** Lines of our own among the output of logs, which may end, or break off, inside a line. */
function lineWriter(out: Context['out']) {
  let atLineStart = true;
  return {
    write: async (chunk: Uint8Array): Promise<void> => {
      await out.write(chunk);
      atLineStart = (chunk.at(-1) ?? (atLineStart ? newline : undefined)) === newline;
    },
    writeLine: async (line: string): Promise<void> => {
      await out.write(`${atLineStart ? '' : '\n'}${line}\n`);
      atLineStart = true;
    },
  };
}

const newline = 0x0a;
