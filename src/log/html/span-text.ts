/** How long something took: `0.3s`, `42s`, `2m 3s`, `1h 5m`. A clock may be set back meanwhile. */
export function spanText(milliseconds: number): string {
  if (milliseconds < 1000) return `${(Math.max(0, milliseconds) / 1000).toFixed(1)}s`;
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
