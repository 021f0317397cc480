/** A time of the API to the second: `2023-11-14 22:13:20 UTC`. */
export const Moment = ({ time }: { readonly time: string }) => (
  <time datetime={time}>{time.replace('T', ' ').replace(/\.\d+/, '').replace('Z', ' UTC')}</time>
);
