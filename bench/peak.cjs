/**
 * Preloaded into a measured tool: writes its peak memory in kilobytes to the file CICTL_BENCH_PEAK.
 */
process.once('exit', () => {
  const { maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.CICTL_BENCH_PEAK, String(maxRSS));
});
