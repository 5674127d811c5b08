import type { GameDefinition, ScoringSpec } from '../core/index.js'
import type { ContestDocument } from './schema.js'
import type { TomlFile } from './toml-file.js'

/** What matches are worth: as the contest says, else as its game does. Throws UserError for what would silently mean nothing. */
export function scoringOf(file: TomlFile, document: ContestDocument, definition: GameDefinition): ScoringSpec {
  checkScoring(file, document, definition)
  const { scoring: own } = definition
  const { scoring: given = {} } = document
  return {
    ...countedBy(definition, given),
    win: given.win ?? own?.win ?? 1,
    draw: given.draw ?? own?.draw ?? 0.5,
    loss: given.loss ?? own?.loss ?? 0,
    ties: given.ties?.map(({ tally, of = 'all', name = tally }) => ({ tally, of, name })) ?? own?.ties ?? [],
  }
}

/** Refuses settings of wins where scores count, and of scores where wins do. */
function checkScoring(file: TomlFile, { scoring = {} }: ContestDocument, { game, scoring: own }: GameDefinition): void {
  const by = scoring.by ?? own?.by ?? 'wins'
  const idle = (by === 'score' ? (['win', 'draw', 'loss'] as const) : (['per', 'of'] as const)).find(
    (key) => scoring[key] !== undefined,
  )
  if (idle === undefined) return
  const whose = own?.by === undefined ? 'without by ' : `as ${game.id} has it `
  const why = scoring.by === undefined ? whose : ''
  const mismatch =
    by === 'score'
      ? `${idle} is what a result is worth, and ${why}scores count`
      : `${idle} is about scores, and ${why}wins count`
  throw file.error(['scoring', idle], `${mismatch}: leave it out, or write by = "${by === 'score' ? 'wins' : 'score'}"`)
}

/** What counts, where it is not wins; settings of scores mean nothing where wins count. */
function countedBy(
  { scoring: own }: GameDefinition,
  given: NonNullable<ContestDocument['scoring']>,
): Pick<ScoringSpec, 'by' | 'per' | 'of'> {
  if ((given.by ?? own?.by) !== 'score') return {}
  const turn = (given.per ?? own?.per) === 'turn'
  const total = (given.of ?? own?.of) === 'total'
  return { by: 'score', per: turn ? 'turn' : undefined, of: total ? 'total' : undefined }
}
