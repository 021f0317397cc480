/** What a terminal that is none of ours makes of a program's output. */
import xterm from '@xterm/headless';

/** As large as the terminals in which jobs run. */
const terminal = new xterm.Terminal({
  cols: 160,
  rows: 100,
  scrollback: 100_000,
  allowProposedApi: true,
  convertEol: true,
});

/** Each row that the output scrolled out or shows at its end, but for blank ones. */
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
