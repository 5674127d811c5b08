/**
 * Weathercock: counts what the foe did before when both had as much as now (nothing, one, more), in this duel, and plays against the
 * commonest of it. Where it knows nothing it guesses.
 *
 * @param {{ ammo: number, opponentAmmo: number, history: string, opponentHistory: string }} view
 * @param {{ below(n: number): number }} chance
 * @returns {string} the action
 */
export default function weathercock({ ammo, opponentAmmo, history, opponentHistory }, chance) {
  const now = kind(ammo) + kind(opponentAmmo)
  const seen = []
  let [mine, theirs] = [0, 0]
  for (let turn = 0; turn < history.length; turn++) {
    if (kind(mine) + kind(theirs) === now) seen.push(opponentHistory[turn])
    mine += rounds(history[turn])
    theirs += rounds(opponentHistory[turn])
  }
  const count = (action) => seen.filter((each) => each === action).length
  const commonest = [...seen].sort((a, b) => count(b) - count(a))[0]
  const guess = opponentAmmo > 0 ? ['-', '=', '0', '1', '2'][chance.below(5)] : ['0', '0', '1', '2'][chance.below(4)]
  const reply = commonest === undefined || chance.below(5) === 0 ? guess : against(commonest, ammo)
  return rounds(reply) + ammo < 0 ? '0' : reply
}

const kind = (rounds) => String(Math.min(rounds, 2))
const rounds = (action) => ({ 0: 1, 1: -1, 2: -2 })[action] ?? 0

/** What kills the one who does this, or stops it. */
function against(action, ammo) {
  if (action === '1') return ammo > 1 ? '2' : '-'
  if (action === '2') return '='
  if (action === '-') return ammo > 1 ? '2' : '0'
  return ammo > 0 ? '1' : '0'
}
