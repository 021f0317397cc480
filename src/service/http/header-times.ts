/** When the sections of a log began, from the time marks of its lines. */

export interface HeaderTimes {
  push(text: string): void;
  /** Milliseconds since the epoch, one for each header that has a mark. */
  end(): string[];
}

/** A header line is shorter than 500 characters; its marks may take some more. */
const longest = 1000;

export function createHeaderTimes(): HeaderTimes {
  const times: string[] = [];
  let line = '';
  const finish = (): void => {
    const time = headerTime(line);
    if (time !== undefined) times.push(time);
    line = '';
  };
  return {
    push: (text) => {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        line = cut(line + text.slice(from, Math.min(at, from + longest)));
        finish();
        from = at + 1;
      }
      line = cut(line + text.slice(from, from + longest));
    },
    end: () => {
      finish();
      return times;
    },
  };
}

const cut = (line: string): string => line.slice(0, longest);

function headerTime(line: string): string | undefined {
  const mark = /\x1b_bk;(?:[^\x07\x1b]*;)?t=(\d{1,15})[^\x07\x1b]*(?:\x07|\x1b\\)/.exec(line);
  if (mark === null) return undefined;
  const plain = line.replace(/\x1b_[^\x07\x1b]*(?:\x07|\x1b\\)/g, '').trimEnd();
  return /^(?:---|\+\+\+|~~~) \S/.test(plain) && plain.length < 500 ? mark[1] : undefined;
}
