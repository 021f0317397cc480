/** A resource with a field of each kind. */
import {
  boolean,
  integer,
  json,
  many,
  map,
  one,
  resource,
  state,
  text,
  texts,
  time,
  url,
} from '../../../src/api/resources/resource.ts';
import { createOutput, type Output } from '../../../src/render/output.ts';
import type { OutputSettings } from '../../../src/render/print-context.ts';
import type { DataStream } from '../../../src/render/data-stream.ts';

const owner = resource({
  name: 'owner',
  plural: 'owners',
  members: { id: text(), name: text() },
  columns: [{ path: 'name', heading: 'NAME' }],
});

const part = resource({
  name: 'part',
  plural: 'parts',
  members: { name: text(), label: text(), state: state(), soft_failed: boolean() },
  columns: [
    { path: 'name', or: 'label', heading: 'NAME' },
    { path: 'state', heading: 'STATE' },
  ],
});

export const thing = resource({
  name: 'thing',
  plural: 'things',
  members: {
    id: text(),
    number: integer(),
    state: state(),
    blocked: boolean(),
    message: text(),
    tags: texts(),
    owner: one(owner),
    parts: many(part),
    env: map(),
    extra: json(),
    created_at: time(),
    web_url: url(),
  },
  columns: [
    { path: 'number', heading: 'THING' },
    { path: 'state', heading: 'STATE' },
    { path: 'message', heading: 'MESSAGE' },
    { path: 'owner.name', heading: 'OWNER' },
    { path: 'created_at', heading: 'CREATED' },
  ],
});

/** The current time of the tests; the samples were created shortly before. */
export const noon = Date.parse('2026-11-20T12:00:00Z');

export const things = [
  {
    id: '0190a4e2-0000-4000-8000-000000000001',
    number: 12,
    state: 'passed',
    blocked: true,
    message: 'Add 日本語 and 🫠 faces\nwith a body',
    tags: ['a', 'b'],
    owner: { id: '7', name: 'Ada' },
    parts: [
      { name: 'lint', state: 'passed' },
      { name: null, label: 'Deploy?', state: 'failed', soft_failed: true },
    ],
    env: { A: '1', B: 'two words' },
    extra: { deep: { er: 5 } },
    created_at: '2026-11-20T11:55:00Z',
    web_url: 'https://ci.example/things/12',
  },
  {
    id: '0190a4e2-0000-4000-8000-000000000002',
    number: 7,
    state: 'hibernating',
    message: 'tab\there \\ \x1b[31mred\x1b[0m',
    owner: null,
    created_at: '2013-09-03 13:24:38 UTC',
    web_url: null,
    unknown: { kept: null },
  },
];

/** A stream that records what is written. */
export function memoryStream(terminal?: { width: number; height: number }): DataStream & {
  text(): string;
} {
  const parts: string[] = [];
  return {
    isTerminal: terminal !== undefined,
    width: terminal?.width ?? Infinity,
    height: terminal?.height ?? Infinity,
    write: (data) => {
      parts.push(typeof data === 'string' ? data : new TextDecoder().decode(data));
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
    text: () => parts.join(''),
  };
}

export const terminal = { width: 80, height: 24 };

/** The parts of an output that most tests do not need. */
export const surroundings = {
  color: false,
  clock: { now: () => noon },
  messages: {
    note: () => undefined,
    progress: () => ({ update: () => undefined, stop: () => undefined }),
  },
};

interface Printed {
  readonly out: string;
  readonly notes: readonly string[];
}

/** Returns what `use` prints and reports, in a pipe or on a terminal of the given size. */
export async function printed(
  use: (output: Output) => Promise<unknown>,
  settings: OutputSettings = {},
  screen?: typeof terminal,
): Promise<Printed> {
  const stream = memoryStream(screen);
  const notes: string[] = [];
  const messages = { ...surroundings.messages, note: (line: string) => void notes.push(line) };
  await use(await createOutput({ ...surroundings, settings, stream, messages }));
  return { out: stream.text(), notes };
}
