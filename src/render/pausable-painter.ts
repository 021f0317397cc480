import type { Painter } from './painter.ts';

export interface PausablePainter extends Painter {
  /**
   * Leaves the lines as they are and the terminal to others, until the function that comes back is
   * called: meanwhile nothing is painted, and text for above the lines waits.
   */
  readonly pause: () => Promise<() => void>;
}

export function pausable(painter: Painter): PausablePainter {
  let paused: Promise<void> | undefined;
  return {
    paint: (lines) => (paused === undefined ? painter.paint(lines) : Promise.resolve()),
    above: async (text) => {
      await paused;
      await painter.above(text);
    },
    close: (lines) => painter.close(lines),
    async pause() {
      let go = (): void => undefined;
      paused = new Promise((resolve) => (go = resolve));
      await painter.close();
      return () => {
        paused = undefined;
        go();
      };
    },
  };
}
