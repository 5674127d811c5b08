import type { Line } from './lines.js'

/** Which parameters there are beside θ by entrant, which come first: ln ν where games are drawn, then ln γ where seats are known. */
export interface Parameters {
  readonly field: number
  readonly drawn: boolean
  readonly seated: boolean
}

export const parametersOf = (lines: readonly Line[], field: number, seated: boolean): Parameters => ({
  field,
  drawn: lines.some(({ drawn }) => drawn > 0),
  seated,
})

export const sizeOf = ({ field, drawn, seated }: Parameters): number => field + (drawn ? 1 : 0) + (seated ? 1 : 0)

/** Where ln γ stands; −1 where there is none. */
export const seatAt = (parameters: Parameters): number => (parameters.seated ? sizeOf(parameters) - 1 : -1)

/** Fields of at most so many entrants have the matrix of all their covariances; for larger ones it would take too much memory and time. */
export const WHOLE = 1000
