import type { InnerRun, InnerStreams } from '../context.ts';
import type { GlobalFlags } from '../config/settings.ts';
import { toExit, toJson, usageError } from '../errors.ts';
import { ReaderGone } from '../render/data-stream.ts';
import { escapeJson } from '../common/untrusted-text.ts';
import { toInvocation } from './parse.ts';
import { readCommandLine } from './program.ts';
import { runCommand, type Host } from './run-command.ts';

/** Runs another command line in this process, with the same global flags except output flags. */
export async function runInside(
  args: readonly string[],
  streams: InnerStreams,
  { outer, host }: { readonly outer: GlobalFlags; readonly host: Host },
): Promise<InnerRun> {
  const inner = { ...host, ...streams, urgent: streams.signal, stdin: noInput };
  try {
    const invocation = toInvocation(readCommandLine(args));
    if (invocation.kind !== 'run') throw usageError('only a command can run here');
    const globals = inherited(outer, invocation.globals);
    return { exitCode: await runCommand({ ...invocation, globals }, inner), error: undefined };
  } catch (error) {
    // The program that reads our output has closed the pipe.
    if (error instanceof ReaderGone) return { exitCode: 0, error: undefined };
    const text = escapeJson(toJson(error, (part) => host.secrets.redact(part)));
    return { exitCode: toExit(error), error: text };
  }
}

function inherited(outer: GlobalFlags, own: GlobalFlags): GlobalFlags {
  const given = (flags: GlobalFlags, others: readonly string[] = []) =>
    Object.entries(flags).filter(
      ([key, value]) => value !== undefined && value !== false && !others.includes(key),
    );
  return Object.fromEntries([...given(outer, ofOutput), ...given(own)]);
}

const ofOutput = ['output', 'json', 'fields', 'jq'];

const noInput = {
  isTerminal: true,
  read: (by: string) => Promise.reject(usageError(`cannot read ${by} from standard input here`)),
};
