/** A log like that of a build: a third of its lines coloured, some of its words beyond ASCII. */
const words =
  'compiling linking module packages resolved downloaded cached warning in src/index.ts ok — émoji ✓ test suite'.split(
    ' ',
  );

/** Blocks of lines up to about `size` bytes, the same in every run. */
export function* logBlocks(size, marks) {
  let time = 1_700_000_000_000;
  let seed = 42;
  const next = (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let written = 0, line = 0; written < size;) {
    let block = '';
    for (const end = line + 1000; line < end; line++) {
      time += next(20);
      const text = Array.from({ length: 6 + next(8) }, () => words[next(words.length)]);
      if (line % 3 === 0) text[1] = `\x1b[3${line % 8}m${text[1]}\x1b[0m`;
      if (line % 3 === 0) text[3] = `\x1b[1;38;5;${line % 256}m${text[3]}\x1b[m`;
      block += `${marks ? `\x1b_bk;t=${time}\x07` : ''}${text.join(' ')}\n`;
    }
    const bytes = Buffer.from(block);
    written += bytes.length;
    yield bytes;
  }
}
