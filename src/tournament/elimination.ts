import { bracket, type Draw, knockout } from './bracket.js'
import type { Format } from './format.js'

const KNOCKOUT = {
  keys: ['seeding'],
  unlikeOpponents: true,
  verb: 'went further',
  playoff: 'pairing',
} as const satisfies Partial<Format>

export const ELIMINATION: Format = {
  ...KNOCKOUT,
  kind: 'elimination',
  build: (spec) => knockout(spec, 1, single),
}

export const DOUBLE_ELIMINATION: Format = {
  ...KNOCKOUT,
  kind: 'double-elimination',
  build: (spec) => knockout(spec, 2, double),
}

/** Single elimination: the winners of a round play the next one, until one is left. */
const single: Draw = function* (seeds) {
  let slots = bracket(seeds)
  while (slots.length > 1) slots = (yield slots).winners
}

/**
 * Double elimination: whoever loses in the winners' bracket goes on in the losers', and is out with its second defeat.
 * The losers' bracket has two rounds for each of the winners': one among its own at once, one against those whom that
 * sends down. The last of each bracket play the final; the one from the losers' bracket has to win it twice.
 */
const double: Draw = function* (seeds) {
  let { winners, losers } = yield bracket(seeds)
  for (let number = 0; winners.length > 1; number++) {
    const half = winners.length / 2
    const played = yield [...winners, ...losers]
    winners = played.winners.slice(0, half)
    const left = played.winners.slice(half)
    const sentDown = played.losers.slice(0, half)
    // Every other time they come in from the far end, so two who have met meet again as late as can be.
    if (number % 2 === 0) sentDown.reverse()
    losers = (yield left.flatMap((entrant, i) => [entrant, sentDown[i]])).winners
  }
  const final = [winners[0], losers[0]]
  const { winners: first } = yield final
  if (first[0] !== winners[0]) yield final
}
