/** Stage a Coup, the leaderboard: name and points; 10 rounds of every ordered pair, a point a win. */
export const coup: readonly (readonly [name: string, points: number])[] = [
  ['Calculator', 154],
  ['Taxman', 144],
  ['Statistician', 138],
  ['Solver', 137],
  ['RandoAggroLawyer', 137],
  ['Gambler', 136],
  ['Turncoat', 134],
  ['Lawyer', 119],
  ['BloodyMurder', 119],
  ['Bandit', 113],
  ['Challenger', 79],
  ['Mask', 74],
  ['Random', 64],
]
