/** Parses the events of a page without a browser. */

export interface PagePart {
  /** The ID of the element. */
  readonly id: string;
  readonly html: string;
  /** The ID of the event. */
  readonly version: string;
}

/** Reads the events of a stream one by one. */
export function pageEvents({ body }: Response) {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<PagePart> => {
    for (;;) {
      const [block = '', ...rest] = text.split('\n\n');
      if (rest.length > 0) {
        text = rest.join('\n\n');
        const [, version, data] = /^id: (.*)\nevent: part\ndata: (.*)$/.exec(block) ?? [];
        if (version !== undefined && data !== undefined)
          return { ...(JSON.parse(data) as { id: string; html: string }), version };
        continue;
      }
      const { done, value } = await reader.read();
      if (done) throw new Error('the stream has ended');
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    next,
    /** The first part that satisfies the condition. */
    async until(holds: (part: PagePart) => boolean): Promise<PagePart> {
      for (;;) {
        const part = await next();
        if (holds(part)) return part;
      }
    },
    close: () => reader.cancel(),
  };
}
