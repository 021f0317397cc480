type Style = (text: string) => string;

/**
 * The styles that cictl uses. They do not include yellow (hard to read on white), blue (hard to
 * read on black) and gray (hard to read in some palettes).
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

export const plain: Colors = {
  normal: same,
  bold: same,
  dim: same,
  red: same,
  green: same,
  magenta: same,
  cyan: same,
};

export async function createColors(enabled: boolean): Promise<Colors> {
  if (!enabled) return plain;
  const { Chalk } = await import('chalk');
  // Chalk's default instance ignores NO_COLOR and reads the command line.
  const { bold, dim, red, green, magenta, cyan } = new Chalk({ level: 1 });
  return { ...plain, bold, dim, red, green, magenta, cyan };
}
