/**
 * The commands of simulated agents, one per line: `true`, `exit N`, `sleep SECONDS`, `echo WORDS`,
 * `seq FIRST LAST`, with the meaning that they have in a shell, and `print BYTES SECONDS`.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @param {string} command one per line
 * @param {{ write: (text: string | Buffer) => void, flush: () => Promise<void> }} log
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit status
 */
export async function perform(command, log, signal) {
  log.write('~~~ Running commands\r\n');
  for (const line of command.split('\n')) {
    log.write(`$ ${line}\r\n`);
    const [word, ...values] = line.split(' ');
    const status = await (actions[word] ?? unknown)(values, log, signal);
    if (status !== 0) return status;
  }
  return 0;
}

const unknown = () => 127;

const actions = {
  true: () => 0,
  exit: ([status]) => Number(status),
  sleep: async ([seconds], log, signal) => {
    const [status] = await Promise.all([wait(Number(seconds), signal), log.flush()]);
    return status;
  },
  seq: ([first, last], log) => {
    for (let n = Number(first); n <= Number(last); n++) log.write(`${n}\r\n`);
    return 0;
  },
  echo: (words, log) => {
    log.write(`${words.join(' ')}\r\n`);
    return 0;
  },
  // Prints this many bytes in each second.
  print: async ([bytes, seconds], log, signal) => {
    const text = linesOf(Number(bytes));
    for (let second = 0; second < Number(seconds); second++) {
      log.write(text);
      const [status] = await Promise.all([wait(1, signal), log.flush()]);
      if (status !== 0) return status;
    }
    return 0;
  },
};

/** 255 if interrupted. */
const wait = (seconds, signal) => sleep(seconds * 1000, 0, { signal }).catch(() => 255);

const made = new Map();

/** Lines of a hundred bytes that compress about as well as compiler output. */
function linesOf(bytes) {
  if (!made.has(bytes)) {
    const line = (n) => `[${n}] cc -O2 -c source-${(n * 7919) % 1000}.c `.padEnd(98, 'x') + '\r\n';
    const text = Array.from({ length: Math.ceil(bytes / 100) }, (_, n) => line(n)).join('');
    made.set(bytes, Buffer.from(text).subarray(0, bytes));
  }
  return made.get(bytes);
}
