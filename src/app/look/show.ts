import { type Contest, type GameDefinition, type MatchRecord, UserError, scoreOf, visible } from '../../core/index.js'
import {
  judgeContext,
  judge,
  leftOf,
  meAt,
  outputIn,
  printedMeans,
  toldClock,
  toldLimits,
  walk,
  wireAt,
} from '../../match/index.js'
import type { StoredMatch, MatchStore, StoredRun } from '../../store/index.js'
import { type Crosstable, crosstable } from '../../tournament/index.js'
import type { Context } from '../context.js'
import { excludedText } from '../run/live-run.js'
import { exchangeLines } from './exchange.js'
import { type PlayedRunRef, entrantNamed, gameOf, standingsOfRun, withRun, pageOfEntrant } from '../stored.js'
import { faultLines } from '../../results/faults.js'
import { aligned, counted, duration, faultText, number, shorten } from '../../text/index.js'

export interface ShowFilter {
  /** The newest, or of losses where scores count the worst. */
  readonly last: number
  /** Only those in which it was not first; where scores count, those with its lowest scores, the lowest first. */
  readonly lost?: boolean
}

type EntrantPage = Awaited<ReturnType<typeof showEntrant>>
export type EntrantMatch = EntrantPage['shown'][number]

/** Finds the entrant whatever its name's case. Throws UserError, and the signal's reason between two matches. */
export function showEntrant(
  { name: wanted, ...ref }: PlayedRunRef & { readonly name: string | undefined },
  filter: ShowFilter,
  context: Context,
) {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    if (wanted === undefined)
      throw new UserError(`name a bot: one of ${run.entrants.map((one) => one.name).join(', ')}`)
    const entrant = entrantNamed(run, wanted)
    const definition = await gameOf(run, ref.gameFile)
    const { standing, pairs, voided } = await pageOfEntrant(store, run, entrant)
    const table = await standingsOfRun(store, run)
    const row = table.standings.rows.find((one) => one.entrant === entrant)
    const { name, wins, draws, losses } = standing
    const out = table.exclusions.find((one) => one.name === name)
    const byScore = run.contest.scoring.by === 'score'
    const names = run.entrants.map((one) => one.name)
    // Of one who is out of the table all that it has played is shown.
    const played = async () => (await store.matches(run.id, entrant)).map((match) => ({ ...match, course: undefined }))
    const scored = byScore && (row ? table.crosstable() : crosstable(names, run.contest.scoring, await played()))
    const rows = byScore && filter.lost ? worstFirst : newestFirst
    const opponents = pairs.map(({ name: met, ahead, level, behind }) => ({ name: met, ahead, level, behind }))
    const shown = []
    for (const match of await rows(store, run, entrant, filter)) {
      context.signal?.throwIfAborted()
      shown.push(matchOf({ definition, run, entrant }, match, await store.recordOf(match.id)))
    }
    return {
      contest: run.contest.title,
      run: run.id,
      name,
      author: run.entrants[entrant]?.facts.author,
      ...(row && { rank: row.rank, points: row.points }),
      excluded: out ? excludedText(out) : undefined,
      matches: standing.matches,
      void: voided > 0 ? voided : undefined,
      ...(scored ? scoresIn(scored, name) : { wins, draws, losses, opponents }),
      faults: standing.faults,
      shown,
      stderr: await store.stderr(run.id, name),
    }
  })
}

/** The mean, of all and against each opponent in the table, perhaps itself. */
function scoresIn({ names, rows }: Crosstable, name: string) {
  const opponents = (rows[names.indexOf(name)] ?? []).map(({ opponent, n, points }) => {
    return { name: names[opponent] ?? '', matches: n, mean: points }
  })
  // A match of several counts against each of them.
  const n = opponents.reduce((sum, { matches }) => sum + matches, 0)
  const mean = opponents.reduce((sum, one) => sum + one.matches * one.mean, 0) / n
  return { mean: n > 0 ? Number(mean.toPrecision(12)) : undefined, opponents }
}

async function newestFirst(store: MatchStore, run: StoredRun, entrant: number, { last, lost }: ShowFilter) {
  const newest: StoredMatch[] = []
  let before: number | undefined
  do {
    const filter = { entrant, result: lost ? ('loss' as const) : undefined, before, limit: last - newest.length }
    const page = await store.browse(run.id, filter)
    newest.push(...page.matches)
    before = page.next
  } while (before !== undefined && newest.length < last)
  return newest
}

/** The matches in which it scored least; of equals the newest first. */
async function worstFirst(store: MatchStore, run: StoredRun, entrant: number, { last }: ShowFilter) {
  const score = (match: StoredMatch): number => scoreOf(run.contest.scoring, match, entrant) ?? NaN
  const scored = (await store.matches(run.id, entrant)).filter((match) => !Number.isNaN(score(match)))
  return scored.sort((a, b) => score(a) - score(b)).slice(0, last)
}

const FAULTS_SHOWN = 3

interface Shown {
  readonly definition: GameDefinition
  readonly run: StoredRun
  readonly entrant: number
}

function matchOf({ definition, run, entrant }: Shown, match: StoredMatch, record: MatchRecord) {
  const seat = match.seats.indexOf(entrant)
  const { faults } = judge(definition, record)
  const own = faults.filter((fault) => fault.seat === seat)
  // Without a fault the last turn in which it was asked.
  const last = record.steps.findLastIndex((step) => step.some(([who]) => who === seat))
  const turns = own.length > 0 ? own.slice(0, FAULTS_SHOWN).map(({ turn }) => turn) : [last]
  const score = scoreOf(run.contest.scoring, { ...match, turns: record.steps.length }, entrant)
  return {
    match: match.key,
    at: new Date(match.at).toISOString(),
    place: match.outcome.place[seat],
    score,
    reason: match.outcome.reason,
    against: match.seats.filter((_, other) => other !== seat).map((other) => run.entrants[other]?.name ?? ''),
    faults: own.map(({ turn, fault, why, said }) => ({ turn, fault, why, said })),
    printed: printedMeans(record, seat).map(([figure, mean]) => ({ figure, mean })),
    exchanges: exchangesOf({ definition, limits: run.contest.limits }, record, seat, turns),
  }
}

/** As lines for a person. */
export function exchangesOf(
  { definition, limits }: { readonly definition: GameDefinition; readonly limits: Contest['limits'] },
  record: MatchRecord,
  seat: number,
  turns: readonly number[],
) {
  const judging = judgeContext(definition, record)
  const wire = wireAt(judging, seat)
  const me = meAt(judging, seat)
  const exchanges: { turn: number; lines: readonly string[] }[] = []
  const left = leftOf(record)
  let turn = -1
  /** Questions that it was asked before. */
  let n = -1
  for (const { before } of walk(definition, record)) {
    turn++
    const answer = outputIn(record.steps[turn], seat)
    if (answer === undefined) continue
    n++
    if (!turns.includes(turn)) continue
    const view = definition.game.view(before, seat)
    const question = wire.ask(view, me, undefined, { n, clock: toldClock(limits, wire, left?.[turn]?.[seat]) })
    const start = turn === 0 ? wire.start?.(view, me, toldLimits(limits, wire)) : undefined
    const at = record.steps[turn]?.findIndex(([who]) => who === seat) ?? 0
    const [wallUs = 0] = record.times?.[turn]?.[at] ?? []
    const inputs = start === undefined ? [question] : [start, question]
    const lines = exchangeLines({ inputs, view, answer: { output: answer, wallUs } })
    const clock = left?.[turn + 1]?.[seat]
    if (clock !== undefined) lines.push(`left:           ${duration(clock)}`)
    const printed = (record.figures ?? []).filter(([step, who]) => step === turn && who === seat)
    if (printed.length > 0)
      lines.push(`printed:        ${printed.map(([, , name, value]) => `${name}=${value}`).join(', ')}`)
    exchanges.push({ turn, lines })
  }
  return exchanges
}

type ShownMatch = EntrantMatch & { readonly replay: string }

export function entrantText(shown: EntrantPage, matches: readonly ShownMatch[]): string {
  const { rank, points, excluded } = shown
  const place = rank === undefined ? (excluded ?? 'not in the table') : `rank ${rank}, ${points} points`
  const more = shown.void === undefined ? '' : ` and ${counted(shown.void, 'void one', 'void ones')}`
  const played = `${counted(shown.matches, 'match', 'matches')}${more}`
  const sums =
    'wins' in shown
      ? `${played}: ${shown.wins} won, ${shown.draws} drawn, ${shown.losses} lost`
      : `${played}${shown.mean === undefined ? '' : `, mean score ${number(shown.mean)}`}`
  const own = Object.keys(shown.faults).length > 0 ? [[shown.name, shown.faults] as const] : []
  const [faults = 'No faults'] = faultLines(new Map(own))
  return [
    `${visible(shown.name)}${shown.author === undefined ? '' : ` by ${visible(shown.author)}`} in ${visible(shown.contest)} (run ${shown.run}): ${visible(place)}; ${sums}. ${visible(faults)}.`,
    '',
    opponentsTable(shown),
    ...matches.map((match) => matchText(shown.name, match)),
    ...(shown.stderr === '' ? [] : ['The end of its standard error:', ...lastLines(shown.stderr)]),
  ].join('\n')
}

function opponentsTable(shown: EntrantPage): string {
  const against = { head: 'Against', cells: shown.opponents.map(({ name }) => visible(name)), right: false }
  const columns = <Row>(rows: readonly Row[], figures: Readonly<Record<string, (row: Row) => number>>) =>
    Object.entries(figures).map(([head, of]) => ({ head, cells: rows.map((row) => number(of(row))), right: true }))
  const figures =
    'wins' in shown
      ? columns(shown.opponents, { Ahead: (one) => one.ahead, Level: (one) => one.level, Behind: (one) => one.behind })
      : columns(shown.opponents, { Matches: (one) => one.matches, 'Mean score': (one) => one.mean })
  return aligned([against, ...figures])
}

function matchText(
  name: string,
  { match, place, score, reason, against, faults, printed, exchanges, replay }: ShownMatch,
): string {
  const answers = exchanges.flatMap(({ turn, lines }) => [`  turn ${turn + 1}:`, ...lines.map((line) => `    ${line}`)])
  const more = faults.length > FAULTS_SHOWN ? [`    and ${counted(faults.length - FAULTS_SHOWN, 'fault')} more`] : []
  const scored = score === undefined ? '' : `, score ${number(score)}`
  const means = printed.map(({ figure, mean }) => `${visible(figure)} ${number(mean)}`).join(', ')
  return [
    visible(`${match} against ${against.join(', ')}: place ${place}${scored} (${reason})`),
    ...faults.slice(0, FAULTS_SHOWN).map((fault) => `    ${faultText(name, fault)}, turn ${fault.turn + 1}`),
    ...more,
    ...(means === '' ? [] : [`    printed, mean of the match: ${means}`]),
    ...answers.map((line) => `  ${line}`),
    `    replay: ${visible(replay)}`,
    '',
  ].join('\n')
}

function lastLines(text: string): string[] {
  const lines = text.trimEnd().split('\n').slice(-20)
  return lines.map((line) => `  ${visible(shorten(line, 200))}`)
}
