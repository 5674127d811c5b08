/** Fields of at most so many entrants have the matrix of all their covariances; for larger ones it would take too much memory and time. */
export const WHOLE = 1000
