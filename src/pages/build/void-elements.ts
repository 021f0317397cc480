/** Elements that hold nothing and have no end. */
export const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source wbr'.split(' '),
);
