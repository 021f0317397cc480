import xterm from '@xterm/headless';
import { stripVTControlCharacters } from 'node:util';

/** The rows left on a terminal, without colors and without what was overwritten. */
export async function rowsLeft(output: string, columns: number): Promise<string> {
  if (!/\x1b\[[\d;?]*[A-HJKhl]|\r/.test(output)) return stripVTControlCharacters(output);
  const terminal = new xterm.Terminal({
    ...{ cols: columns, rows: 200, scrollback: 10_000, allowProposedApi: true, convertEol: true },
  });
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => rowAt(active, row));
  terminal.dispose();
  const left = rows.join('\n').trimEnd();
  return left === '' ? '' : `${left}\n`;
}

const rowAt = (buffer: xterm.IBuffer, row: number): string =>
  buffer.getLine(row)?.translateToString(true) ?? '';
