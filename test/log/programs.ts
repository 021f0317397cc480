/**
 * Simulates the output of programs that move around and scroll the screen, the same in every run.
 */
type Draw = (below: number) => number;

export function* programs(count: number): Generator<string> {
  const draw = drawFrom(7);
  for (let index = 0; index < count; index++) yield program(draw);
}

/** A deterministic sequence of numbers from 0 to `below - 1`. */
function drawFrom(start: number): Draw {
  let seed = start;
  return (below) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
}

function program(draw: Draw): string {
  const lines = Array.from({ length: draw(3) * 70 }, (_, line) => `line ${line}\n`);
  const steps = Array.from({ length: 5 + draw(60) }, (_, step) => {
    const kind = kinds[draw(kinds.length)];
    return kind?.(draw, step) ?? '';
  });
  return lines.join('') + steps.join('');
}

const pick = <T>(draw: Draw, from: readonly T[]): T => from[draw(from.length)] as T;

const move: Step = (draw) => `\x1b[${pick(draw, [1, 1, 2, 3, 5, 150])}${pick(draw, ['A', 'B'])}`;

type Step = (draw: Draw, step: number) => string;

const word: Step = (draw, step) => `w${step}${pick(draw, ['', ' some text', ' é日本', ' 試x'])}`;

/** What a program prints; repeated entries are more frequent. */
const kinds: readonly Step[] = [
  word,
  word,
  word,
  (draw) => 'L'.repeat(draw(400)),
  () => '\n',
  () => '\n',
  (draw) => '\n'.repeat(draw(5)),
  () => '\r',
  move,
  move,
  (draw) => `\x1b[${1 + draw(200)}${pick(draw, ['C', 'D', 'G'])}`,
  (draw) => `\x1b[${draw(3)};3${draw(8)}m`,
  (draw) => `\x1b[${draw(3)}K`,
  () => '\x1b[J',
  (draw) =>
    pick(draw, ['\x1b[2J', '\x1b[H\x1b[2J', '\x1b[2J\x1b[H', '\x1b[2P', '\x1b[3@', '\x1b[4X']),
  (draw) => pick(draw, ['\x1b[E', '\x1b[F', '\b', '\x1bM', '\x1bD', '\x1b7saved\n\x1b8back']),
];
