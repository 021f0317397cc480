type Style = (text: string) => string;

/**
 * The few styles in use; the identity for each where colour is off. Those that cannot be read on
 * white (yellow), on black (blue) or in some palettes at all (gray) are not among them.
 */
export interface Colors {
  readonly normal: Style;
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly magenta: Style;
  readonly cyan: Style;
}

const same: Style = (text) => text;

/** No colour at all. */
export const plain: Colors = {
  normal: same,
  bold: same,
  dim: same,
  red: same,
  green: same,
  magenta: same,
  cyan: same,
};

/** Colours for one stream. The library behind them is loaded only where colour is wanted. */
export const createColors = async (enabled: boolean): Promise<Colors> =>
  enabled ? (await import('./chalk.ts')).chalkColors : plain;
