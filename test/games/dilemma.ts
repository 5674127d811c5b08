import type { Ending, Game, GameDefinition } from '../../src/core/index.js'

interface State {
  readonly turns: number
  /** By turn and seat: whether it betrayed. */
  readonly played: readonly (readonly boolean[])[]
}
export interface View {
  readonly mine: readonly boolean[]
  readonly theirs: readonly boolean[]
}

/** What one gets by what it and the other did: the temptation, the reward, the punishment, the sucker's payoff. */
const payoff = (mine: boolean, theirs: boolean): number => (mine ? (theirs ? 1 : 5) : theirs ? 0 : 3)

const game: Game<State, 'trust' | 'betray', View, { readonly turns: number }, Ending> = {
  id: 'dilemma',
  version: 1,
  seats: { min: 2, max: 2 },
  options: { turns: 200 },
  scores: { min: 0, max: 1000 },
  setup: (_seats, { turns }) => ({ turns, played: [] }),
  toMove: ({ turns, played }) => (played.length < turns ? [0, 1] : []),
  view: ({ played }, seat) => ({
    mine: played.map((turn) => turn[seat] ?? false),
    theirs: played.map((turn) => turn[1 - seat] ?? false),
  }),
  legal: () => ['trust', 'betray'],
  // A seat that does not answer trusts.
  play: (state, moves) => ({ ...state, played: [...state.played, moves.map((move) => move === 'betray')] }),
  outcome: ({ turns, played }) =>
    played.length < turns
      ? undefined
      : {
          score: [0, 1].map((seat) =>
            played.reduce((sum, turn) => sum + payoff(turn[seat] ?? false, turn[1 - seat] ?? false), 0),
          ),
          reason: 'end',
        },
}

/** The iterated prisoner's dilemma as Axelrod had it: 200 turns, 5, 3, 1 and 0. */
export default {
  game,
  title: 'Dilemma',
  summary: 'Trust or betray',
  scoring: { by: 'score' },
} satisfies GameDefinition as GameDefinition
