/** The log as the API's object, written as it is read: a log may be larger than a string can be. */
import { createHeaderTimes } from './header-times.ts';

/**
 * `size` is in bytes; `header_times` are nanoseconds, which no JavaScript number holds exactly,
 * `timesBeside` where the log has no marks.
 */
export async function* logJson(
  url: string,
  content: AsyncIterable<Uint8Array>,
  size: number,
  timesBeside: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const headers = createHeaderTimes();
  yield encoder.encode(`{"url":${JSON.stringify(url)},"content":"`);
  for await (const chunk of content) {
    const text = decoder.decode(chunk, { stream: true });
    headers.push(text);
    yield encoder.encode(escaped(text));
  }
  const rest = decoder.decode();
  headers.push(rest);
  const marks = headers.end().map((time) => `${time}000000`);
  const times = marks.length > 0 ? marks : timesBeside;
  yield encoder.encode(`${escaped(rest)}","size":${size},"header_times":[${times.join()}]}`);
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
