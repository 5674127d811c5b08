/** The parts of a run that have a checksum over all their rows. `runs` is that of the list of runs, under the run number 0. */
export const PARTS = [
  'run',
  'entrants',
  'counts',
  'matches',
  'segments',
  'exclusion',
  'ruling',
  'rating',
  'stderr',
  'log',
  'runs',
] as const

export type Part = (typeof PARTS)[number]

/** Under this number of a run stands what belongs to the store as a whole. */
export const WHOLE = 0

/** The parts of a run that its table is counted from. */
export const COUNTED: readonly Part[] = ['run', 'entrants', 'segments', 'exclusion', 'ruling', 'rating']

/** Tables whose rows follow from a run's entrants and matches: a run that is given other entrants begins them anew. */
export const BY_MATCHES = ['run_entrant', 'run_match', 'segment', 'pair', 'fault_count', 'rating'] as const
/** The checksums over those rows; that of the entrants is written with them. */
export const SUMS_BY_MATCHES = ['counts', 'matches', 'segments', 'rating'] as const satisfies readonly Part[]
/** Tables whose rows belong to one run. */
export const OF_RUN = [...BY_MATCHES, 'exclusion', 'ruling', 'stderr', 'log', 'digest'] as const
