type Style = (text: string) => string;

/** The few styles in use; the identity for each where colour is off. */
export interface Colors {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly blue: Style;
  readonly magenta: Style;
  readonly cyan: Style;
  readonly gray: Style;
}

const same: Style = (text) => text;

/** No colour at all. */
export const plain: Colors = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  magenta: same,
  cyan: same,
  gray: same,
};

/** Colours for one stream. The library behind them is loaded only where colour is wanted. */
export const createColors = async (enabled: boolean): Promise<Colors> =>
  enabled ? (await import('./chalk.ts')).chalkColors : plain;
