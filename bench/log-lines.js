/** Generates logs in chunks of up to 100 KB, the same in every run. */
const words =
  'compiling linking module packages resolved downloaded cached warning in src/index.ts ok — émoji ✓ test suite'.split(
    ' ',
  );

/**
 * A log like that of a build: a third of its lines have colors, some words are not ASCII.
 * @param {number} size approximate size in bytes
 * @param {{ marks?: boolean, end?: string }} options `marks`: a time mark before each line, as
 * written
 * by agents; `end`: the line ending
 */
export function* logBlocks(size, { marks = false, end = '\n' } = {}) {
  let time = 1_700_000_000_000;
  const next = numbers();
  for (let written = 0, line = 0; written < size;) {
    let block = '';
    for (const last = line + 1000; line < last; line++) {
      time += next(20);
      const text = Array.from({ length: 6 + next(8) }, () => words[next(words.length)]);
      if (line % 3 === 0) text[1] = `\x1b[3${line % 8}m${text[1]}\x1b[0m`;
      if (line % 3 === 0) text[3] = `\x1b[1;38;5;${line % 256}m${text[3]}\x1b[m`;
      block += `${marks ? `\x1b_bk;t=${time}\x07` : ''}${text.join(' ')}${end}`;
    }
    const bytes = Buffer.from(block);
    written += bytes.length;
    yield bytes;
  }
}

/** Every line has colors, and like most tools, only ends the color instead of resetting the style. */
export function* endedColorBlocks(size) {
  const next = numbers();
  for (let written = 0; written < size;) {
    const lines = Array.from({ length: 1000 }, () => {
      const text = Array.from({ length: 6 + next(8) }, () => words[next(words.length)]);
      for (const at of [0, 2, 4]) text[at] = `\x1b[3${1 + next(7)}m${text[at]}\x1b[39m`;
      return `${text.join(' ')}\n`;
    });
    const bytes = Buffer.from(lines.join(''));
    written += bytes.length;
    yield bytes;
  }
}

/** The progress of 25 downloads: each frame moves up and overwrites the last one. */
export function* frameBlocks(size) {
  const rows = 25;
  const next = numbers();
  for (let written = 0, frame = 0; written < size; frame++) {
    const time = `\x1b_bk;t=${1_700_000_000_000 + frame * 100}\x07`;
    const lines = Array.from({ length: rows }, (_, row) => {
      const done = Math.min(20, (next(4) + frame) % 25);
      const bar = `${'='.repeat(done)}>`.padEnd(21);
      return `${time}\x1b[2K\x1b[3${row % 8}m layer-${row}\x1b[0m Downloading [${bar}] ${done * 7}MB\n`;
    });
    const bytes = Buffer.from((frame === 0 ? '' : '\x1b[1A'.repeat(rows)) + lines.join(''));
    written += bytes.length;
    yield bytes;
  }
}

function numbers() {
  let seed = 42;
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
}
