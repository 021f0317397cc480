import type { Build } from '../api/resources/build.ts';
import type { Painter, PausablePainter } from '../render/painter.ts';
import type { Output } from '../render/output.ts';
import { cleanLine } from '../common/untrusted-text.ts';
import type { Context } from '../context.ts';
import { frames } from './frame.ts';
import type { JobLogs } from './job-logs.ts';
import { writtenNames } from './job-names.ts';
import type { View } from './view.ts';
import type { Clock } from '../common/clock.ts';

interface LiveParts {
  readonly out: Output;
  readonly clock: Clock;
  readonly painter: Painter & Partial<PausablePainter>;
  readonly messages: Pick<Context['messages'], 'redirect'>;
  /** Notes go to standard output here. They may repeat secrets that the service sent */
  readonly secrets: Pick<Context['secrets'], 'redact'>;
  readonly logs?: JobLogs | undefined;
}

/** A frame that is repainted when events arrive and as time passes. The final frame stays. */
export function liveView({ out, clock, painter, messages, secrets, logs }: LiveParts): View {
  const builds = new Map<string, Build>();
  const { nameOf, prepare } = writtenNames();
  let waiting = '';
  const redacted = (text: string): string => secrets.redact(cleanLine(text));
  const stop = new AbortController();
  const lines = (height: number): string[] =>
    builds.size === 0 && waiting !== ''
      ? [out.color.dim(waiting)]
      : frames([...builds.values()], {
          now: clock.now(),
          width: out.width,
          height,
          nameOf,
          colors: out.color,
          spinner: Number.isFinite(height) ? spinnerAt(clock.now()) : undefined,
        });
  // A poll can return many events. The first event repaints the frame for all of them.
  const isPainted = (build: Build): boolean => builds.get(keyOf(build)) === build;
  const repaint = (): Promise<void> => painter.paint(lines(out.height - 1));
  const ticking = tick(repaint, clock, stop.signal);
  const redirect = (): void =>
    messages.redirect((text) => void painter.above(text).catch(ignoreReaderGone));
  redirect();
  return {
    report: async (event) => {
      await logs?.report(event);
      if (event.event === 'wait') waiting = redacted(event.reason);
      else if (event.build === undefined || isPainted(event.build)) return;
      if (event.build !== undefined) await prepare(event.build);
      if (event.build !== undefined) builds.set(keyOf(event.build), event.build);
      await repaint();
    },
    show: (text) => painter.above(text),
    note: (text) => painter.above(`${redacted(text)}\n`),
    pause: async () => {
      messages.redirect(undefined);
      const go = await painter.pause?.();
      return () => {
        go?.();
        redirect();
      };
    },
    close: async () => {
      stop.abort();
      await ticking;
      await logs?.close();
      messages.redirect(undefined);
      await painter.close(lines(Infinity));
    },
  };
}

/** Milliseconds between two frames. */
const pause = 200;

const spinners = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

const spinnerAt = (now: number): string => spinners.charAt(Math.floor(now / pause) % 10);

const keyOf = ({ id, web_url, number }: Build): string => id ?? web_url ?? String(number);

/** Repaints regularly to update durations. */
async function tick(repaint: () => Promise<void>, clock: Clock, stop: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(pause, stop);
      await repaint();
    }
  } catch {
    // The view was stopped or standard output was closed. In that case, the next `report` throws.
  }
}

const ignoreReaderGone = (): undefined => undefined;
