/** What an independent terminal emulator makes of a program's output. */
import xterm from '@xterm/headless';

/** The size of the terminals in which jobs run. */
const terminal = new xterm.Terminal({
  cols: 160,
  rows: 100,
  scrollback: 100_000,
  allowProposedApi: true,
  convertEol: true,
});

/** Each row that scrolled off the screen or is on it at the end, except blank rows. */
export async function rowsOf(output: string): Promise<string[]> {
  terminal.reset();
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, row) =>
    (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
  ).filter((row) => row !== '');
}
