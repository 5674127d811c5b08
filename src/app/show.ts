import { type GameDefinition, type MatchRecord, type BotInput, UserError, unpackOutput } from '../core/index.js'
import { judgeContext, judge, meAt, printedMeans, walk, wireAt } from '../match/index.js'
import type { MatchRow, RunSummary } from '../store/index.js'
import type { Context } from './context.js'
import { excludedText } from './control.js'
import { exchangeLines } from './exchange.js'
import { standingsOf } from './kept-table.js'
import { type PlayedRunRef, entrantNamed, gameOf, withRun } from './stored.js'

/** Which of an entrant's matches are shown. */
export interface ShowFilter {
  /** The newest so many. */
  readonly last: number
  /** Only those in which it was not first. */
  readonly lost?: boolean
}

/** How an entrant fared, with some of its matches as it saw them: plain data. */
export type EntrantPage = Awaited<ReturnType<typeof showEntrant>>
/** A match as one of its bots saw it. */
export type EntrantMatch = EntrantPage['shown'][number]

/**
 * Shows how an entrant fared in a stored run; `name` is found whatever its case. Throws UserError where there is no such run,
 * entrant or game, and the signal's reason between two matches.
 */
export function showEntrant(
  { name: wanted, ...ref }: PlayedRunRef & { readonly name: string | undefined },
  filter: ShowFilter,
  context: Context,
) {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    if (wanted === undefined) throw new UserError(`name a bot: one of ${run.plan.names.join(', ')}`)
    const entrant = entrantNamed(run, wanted)
    const definition = await gameOf(run, ref.gameFile)
    const { standing, pairs } = await store.page(run.id, entrant)
    const { standings, exclusions } = await standingsOf(store, run, context.workspace)
    const row = standings.rows.find((one) => one.entrant === entrant)
    const { name, wins, draws, losses } = standing
    const out = exclusions.find((one) => one.name === name)
    const shown = []
    for (const match of await store.matches(run.id, { entrant, ...filter })) {
      context.signal?.throwIfAborted()
      shown.push(matchOf(definition, run, entrant, match, await store.recordOf(match.id)))
    }
    const author = Object.entries(run.plan.authors ?? {}).find(([one]) => one === name)?.[1]
    return {
      contest: run.title,
      run: run.id,
      name,
      ...(author !== undefined && { author }),
      ...(row && { rank: row.rank, points: row.points }),
      ...(out && { excluded: excludedText(out) }),
      matches: standing.matches,
      wins,
      draws,
      losses,
      faults: standing.faults,
      opponents: pairs.map((pair) => ({ name: pair.name, ahead: pair.ahead, level: pair.level, behind: pair.behind })),
      shown,
      stderr: await store.stderr(run.id, name),
    }
  })
}

/** Faults of a match that are shown with what was sent and answered. */
export const FAULTS_SHOWN = 3

function matchOf(definition: GameDefinition, run: RunSummary, entrant: number, match: MatchRow, record: MatchRecord) {
  const seat = match.seats.indexOf(entrant)
  const { faults } = judge(definition, record)
  const own = faults.filter((fault) => fault.seat === seat)
  const turns = own.length > 0 ? own.slice(0, FAULTS_SHOWN).map(({ turn }) => turn) : [lastTurn(record, seat)]
  return {
    match: match.place,
    at: match.at,
    place: match.outcome.place[seat],
    reason: match.outcome.reason,
    against: match.seats.filter((_, other) => other !== seat).map((other) => run.plan.names[other] ?? ''),
    faults: own.map(({ turn, fault, why, said }) => ({ turn, fault, why, said })),
    printed: printedMeans(record, seat).map(([figure, mean]) => ({ figure, mean })),
    exchanges: exchangesOf(definition, record, seat, turns),
  }
}

/** The last turn in which a seat was asked; -1: it never was. */
const lastTurn = (record: MatchRecord, seat: number): number =>
  record.steps.findLastIndex((step) => step.some(([who]) => who === seat))

/** What a seat's bot printed of itself in a turn, as it printed it. */
const printedLines = ({ figures = [] }: MatchRecord, seat: number, turn: number): string[] => {
  const own = figures.filter(([step, who]) => step === turn && who === seat)
  return own.length === 0 ? [] : [`printed:        ${own.map(([, , name, value]) => `${name}=${value}`).join(', ')}`]
}

/** What a seat was sent and answered in these turns, as lines for a person. */
export function exchangesOf(definition: GameDefinition, record: MatchRecord, seat: number, turns: readonly number[]) {
  const judging = judgeContext(definition, record)
  const wire = wireAt(judging, seat)
  const me = meAt(judging, seat)
  const exchanges: { turn: number; lines: readonly string[] }[] = []
  let turn = 0
  for (const { before, outputs } of walk(definition, record)) {
    const answer = outputs.get(seat)
    if (turns.includes(turn) && answer !== undefined) {
      const view = definition.game.view(before, seat)
      const inputs: BotInput[] =
        turn === 0 && wire.start ? [wire.start(view, me), wire.ask(view, me)] : [wire.ask(view, me)]
      const at = record.steps[turn]?.findIndex(([who]) => who === seat) ?? 0
      const [wallUs = 0] = record.times?.[turn]?.[at] ?? []
      const lines = exchangeLines({ inputs, view, answer: { output: unpackOutput(answer), wallUs } })
      exchanges.push({ turn, lines: [...lines, ...printedLines(record, seat, turn)] })
    }
    turn++
  }
  return exchanges
}
