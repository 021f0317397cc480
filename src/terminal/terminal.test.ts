/** Features that need a real terminal: prompts, the spinner, the pager, colors. */
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { createHome, type Home } from '../../test/support/home.ts';
import { bundleLines } from '../../test/support/program.ts';
import {
  hasTerminal,
  inTerminal,
  type Screen,
  type TerminalOptions,
} from '../../test/support/pty.ts';
import { sampled } from '../../test/support/full.ts';

let home: Home;
beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.remove());

/** Runs a few lines of TypeScript in a terminal; `process.exitCode` is their result. */
async function run(lines: string, options: Partial<TerminalOptions> = {}): Promise<Screen> {
  const outfile = join(home.root, `${Math.random()}.mjs`);
  await bundleLines(lines, import.meta.dirname, outfile);
  return inTerminal([process.execPath, outfile], { home, ...options });
}

const prompts = `
  import { toExit, toText } from '../errors.ts';
  import { createPrompts } from './prompt.ts';
  import { createSecrets } from './secrets.ts';
  const { stdin, stdout, stderr } = process;
  const settings = { input: true, yes: false };
  const { signal } = new AbortController();
  const prompts = createPrompts({ stdin, stdout, stderr, settings, signal, secrets: createSecrets() });
  const print = async (asking) => {
    try {
      console.log('got', JSON.stringify(await asking));
    } catch (error) {
      console.log(toText(error));
      process.exitCode = toExit(error);
    }
  };
`;

describe.skipIf(!hasTerminal)('in a terminal', () => {
  sampled.each([
    ['y\r', 'got true', 0],
    ['YES\r', 'got true', 0],
    ['\r', 'cictl: canceled: not confirmed', 2],
    ['yesterday\r', 'cictl: canceled: not confirmed', 2],
    ['\x03', 'cictl: interrupted', 130],
    ['\x04', 'cictl: canceled: no answer', 2],
  ])('a confirmation answered with %j', async (type, expected, code) => {
    const { screen, exitCode } = await run(
      `${prompts} await print(prompts.confirm('Cancel 5?', '--yes'));`,
      {
        keys: [{ after: /Cancel 5. .y.N./, type }],
      },
    );
    expect(screen).toContain(`\n${expected}`);
    expect(exitCode).toBe(code);
  });

  sampled.each([
    ['s3cret\r', 'got "s3cret"', 0],
    ['s3c\x03', 'cictl: interrupted', 130],
  ])('a hidden line answered with %j is not echoed', async (type, expected, code) => {
    const { screen, exitCode } = await run(`${prompts} await print(prompts.hidden('Token: '));`, {
      keys: [{ after: 'Token: ', type }],
    });
    expect(screen.replaceAll('got "s3cret"', 'got it')).not.toContain('s3c');
    expect(screen).toContain(expected);
    expect(exitCode).toBe(code);
  });

  const choices = `[
    { cells: ['lint\\x1b[2J', '#lint'], value: 'a' },
    { cells: ['test'], value: 'b' },
    { cells: ['a very long name of a job that does not fit in one line', 'Last'], value: 'c' },
  ]`;
  const choosing = `${prompts} await print(prompts.choose('Which job?', ${choices}));`;

  /** Input before the list appears is lost. */
  const picking = (...types: string[]) =>
    run(choosing, {
      columns: 40,
      keys: types.map((type, at) => ({ after: shows(types[at - 1]), type })),
    });

  /** The complete list for what was typed. */
  const shows = (typed = ''): RegExp => new RegExp(`${/^[\w ]+$/.test(typed) ? typed : ''}[^]*❯`);

  sampled.each([
    [['\r'], 'got "a"', 0],
    [['\x1b[B', '\r'], 'got "b"', 0],
    [['\x1b[B', '\x1b[B', '\x1b[A', '\r'], 'got "b"', 0],
    [['TEST', '\r'], 'got "b"', 0],
    [['fit LAST', '\r'], 'got "c"', 0],
    [['\x03'], 'cictl: interrupted', 130],
    [['\x04'], 'cictl: canceled: no answer', 2],
  ])('a choice is picked with %j', async (types, expected, code) => {
    const { screen, exitCode } = await picking(...types);
    expect(screen).toContain(expected);
    expect(exitCode).toBe(code);
    expect(screen).not.toContain('\x1b[2J');
    expect(screen).toMatch(/a very long name.*…  Last/);
  });

  test('says that nothing matches, and accepts more typing', async () => {
    const { screen } = await run(choosing, {
      keys: [
        { after: '❯', type: 'x' },
        { after: 'No results', type: '\x7f' },
        { after: '❯', type: '\r' },
      ],
    });
    expect(screen).toContain('got "a"');
  });

  test('on a dumb terminal, asks again until the choice is valid', async () => {
    const { screen } = await run(
      choosing.replace('createPrompts({', 'createPrompts({ isDumb: true,'),
      {
        keys: [
          { after: /number .1-3.: /, type: '7\r' },
          { after: /number .1-3.: /, type: '1\r' },
        ],
      },
    );
    expect(screen).toContain('  1) lint  #lint\r\n  2) test\r\n');
    expect(screen).toContain('got "a"');
  });

  test('the spinner appears after a while, makes way for messages, and disappears', async () => {
    const { screen } = await run(`
      import { createMessages } from './messages.ts';
      import { createSecrets } from './secrets.ts';
      const secrets = createSecrets();
      const settings = { quiet: false, debug: false };
      const parts = { stream: process.stderr, outputIsTerminal: true, color: false, settings, secrets };
      const messages = createMessages(parts);
      const write = process.stderr.write;
      const shows = (text) => new Promise((done) => {
        process.stderr.write = function (chunk, ...rest) {
          if (String(chunk).includes(text)) done();
          return write.call(this, chunk, ...rest);
        };
      });
      // A spinner keeps no process alive.
      const alive = setInterval(() => undefined, 1000);
      messages.progress('too short to see').stop();
      const appeared = shows('loading builds');
      const progress = messages.progress('loading builds');
      await appeared;
      messages.note('still there');
      const changed = shows('loading more');
      progress.update('loading more');
      await changed;
      progress.stop();
      clearInterval(alive);
      console.log('done');
    `);
    expect(screen).toContain('loading builds');
    expect(screen).toContain('still there\r\n');
    expect(screen).toContain('loading more');
    expect(screen).not.toContain('too short');
    expect(screen).toMatch(/\x1b\[0K\x1b\[\?25hdone\r\n(?:\x1b\[\?25h)?$/);
  });

  test('repaints in place, and keeps the last frame', async () => {
    const { screen } = await run(
      `
      import { createPainter } from '../render/painter.ts';
      import { dataStream } from './streams.ts';
      const painter = createPainter(dataStream(process.stdout));
      try {
        await painter.paint(['job one: running', 'x'.repeat(60)]);
        await painter.above('a line that stays\\n');
        await painter.paint(['job one: passed']);
      } finally {
        await painter.close();
      }
      console.log('end');
      `,
      { columns: 40, rows: 10 },
    );
    const clipped = `${'x'.repeat(39)}…`;
    expect(screen).toBe(
      `\x1b[?25l\r\x1b[Kjob one: running\r\n\x1b[K${clipped}\r\n\x1b[J` +
        `\x1b[2A\r\x1b[Ka line that stays\r\n\x1b[Kjob one: running\r\n\x1b[K${clipped}\r\n\x1b[J` +
        '\x1b[2A\r\x1b[Kjob one: passed\r\n\x1b[J\r\x1b[K\x1b[?25hend\r\n',
    );
  });

  const paged = (command: string): string => `
    import { ReaderGone } from '../render/data-stream.ts';
    import { openPager } from './pager.ts';
    const opened = await openPager({ command: ${JSON.stringify(command)}, env: process.env, stdout: process.stdout });
    const pager = opened ?? { write: async () => undefined, close: async () => console.log('no pager') };
    try {
      for (let line = 1; line <= 100_000; line += 1) await pager.write('line ' + line + '\\n');
    } catch (error) {
      console.log(error instanceof ReaderGone ? 'left early' : error);
    }
    await pager.close();
    console.log('end');
  `;

  test('pages output, which can be quit early', async () => {
    const all = await run(paged('tail -n 1'));
    expect(all.screen).toBe('line 100000\r\nend\r\n');
    const left = await run(paged('head -n 2'));
    expect(left.screen).toBe('line 1\r\nline 2\r\nleft early\r\nend\r\n');
  });

  test('less shows a page and quits with q', async () => {
    const { screen } = await run(paged('less'), {
      rows: 10,
      keys: [{ after: 'line 9', type: 'q' }],
    });
    expect(screen).toContain('line 9');
    expect(screen).not.toContain('line 20');
    expect(screen).toMatch(/left early\r\nend\r\n$/);
  });

  sampled.each(['no-such-pager -x', '/nowhere/pager', ' '])('%j is no pager', async (command) => {
    expect((await run(paged(command))).screen).toBe('no pager\r\nend\r\n');
  });
});
