import type { Build } from '../api/resources/build.ts';
import type { Clock } from '../context.ts';
import type { Painter } from '../render/live.ts';
import type { Output } from '../render/output.ts';
import { cleanLine } from '../render/text.ts';
import { frame } from './frame.ts';
import type { JobLogs } from './job-logs.ts';
import type { View } from './view.ts';

export interface LiveParts {
  readonly out: Output;
  readonly clock: Clock;
  readonly painter: Painter;
  readonly logs?: JobLogs | undefined;
}

/** A frame that is painted anew as things happen and as time passes; its last form stays. */
export function liveView({ out, clock, painter, logs }: LiveParts): View {
  let build: Build | undefined;
  const stop = new AbortController();
  const lines = (height: number): string[] =>
    build === undefined
      ? []
      : frame(build, { now: clock.now(), width: out.width, height, colors: out.color });
  const repaint = (): Promise<void> => painter.paint(lines(out.height - 1));
  const ticking = tick(repaint, clock, stop.signal);
  return {
    tell: async (event) => {
      await logs?.tell(event);
      build = event.build ?? build;
      await repaint();
    },
    note: (text) => painter.above(`${cleanLine(text)}\n`),
    close: async () => {
      stop.abort();
      await ticking;
      await logs?.close();
      await painter.close(lines(Infinity));
    },
  };
}

/** Times grow while nothing else happens. */
async function tick(repaint: () => Promise<void>, clock: Clock, stop: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(200, stop);
      await repaint();
    }
  } catch {
    // Stopped, or the reader is gone; whoever tells the next event meets the latter too.
  }
}
