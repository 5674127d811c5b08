import type { Turn } from '../../src/sandbox/frames.js'

/** A turn of a program in a sandbox, with time and room enough. */
export const turnOf = (argv: readonly string[], more: Partial<Turn> = {}): Turn => ({
  argv,
  env: { PATH: '/usr/bin:/bin', HOME: '/bot', LANG: 'C.UTF-8', AGON_SEED: '1' },
  folder: '/bot',
  limit: 60_000,
  output: 1e6,
  errors: 1e6,
  wipe: true,
  ...more,
})
