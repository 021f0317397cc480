/** Where a measured command writes to: nowhere, a pipe with a reader, or a file. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const piped = (words) => [
  'bash',
  '-o',
  'pipefail',
  '-c',
  '"$@" | cat > /dev/null',
  'bash',
  ...words,
];

/** Calls `run` with the command line and its standard output. */
export function withSink(sink, words, run) {
  if (sink === 'file') return withFile((file) => run(words, file));
  return sink === 'pipe'
    ? run(piped(words), 'ignore')
    : run(words, sink === 'null' ? 'ignore' : 'pipe');
}

function withFile(run) {
  const path = join(tmpdir(), `cictl-bench-${process.pid}.out`);
  const file = openSync(path, 'w');
  try {
    return run(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}
