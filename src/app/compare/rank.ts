import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { command, countedBounds, message, option, UserError, visible } from '../../core/index.js'
import {
  type Before,
  type Cycle,
  cycles as cyclesIn,
  rankBy,
  type RankedResults,
  type Ranking,
  type RuleName,
  RULES,
  SCORE_RULES,
  WEIGHED,
} from '../../lab/index.js'
import { ruleNamed } from '../../lab/rank.js'
import { readGames } from '../../results/games-csv.js'
import {
  comparisonsOf,
  distinctGames,
  equalLuck,
  type EqualLuck,
  equalLuckOfScores,
  meansOf,
  scoredCompanies,
  type ScoredGame,
  scoredGameOf,
  scoreIntervals,
  seatsDecide,
  SEPARABLE,
} from '../../stats/index.js'
import { aligned, chance, type Column, counted, number, percent, placesNote, signed, width } from '../../text/index.js'
import { formatOf } from '../../tournament/index.js'
import type { Context } from '../context.js'
import { importRun } from '../manage/archive.js'
import { type RunRef, standingsOfRun, withRun } from '../stored.js'
import {
  doubtNotes,
  firstNotes,
  intervals,
  numbers,
  openNotes,
  playedMatches,
  seatNotes,
  unboundedBy,
} from './strengths.js'

export { RULES, type RuleName }

/** Entrants are named by their index in `names`. */
interface PlayedField extends RankedResults {
  /** The contest's title, or the file. */
  readonly title: string
  readonly names: readonly string[]
  readonly matches: number
  /** Matches that repeat none before. */
  readonly distinct: number
  /** By entrant, as the contest's own table; absent for a file of games. */
  readonly points?: readonly number[]
  readonly luck: EqualLuck
}

export interface RankedField extends PlayedField {
  readonly by: 'wins' | 'score'
  /** In the order of the wish. */
  readonly rankings: readonly Ranking[]
  /** Who is first by which rules, most rules first; who share a first place are named together. */
  readonly crown: readonly { readonly name: string; readonly by: readonly RuleName[] }[]
  /** Three entrants, each of which beats the next, the last the first, with the probability. The surest first. */
  readonly cycles: readonly { readonly members: readonly string[]; readonly confidence: number }[]
  /** Rules not asked for by name that are left out, with cycles, as the field is too large. */
  readonly leftOut: readonly RuleName[]
}

/** Rules, all if none is named, and whether intervals are to hold all at once. */
interface RankWish {
  readonly rules: readonly RuleName[]
  readonly simultaneous?: boolean
}

/** Throws UserError if there is no such run or no match of it counts, and the signal's reason between two rules. */
export function rankRun(ref: RunRef, wish: RankWish, context: Context): Promise<RankedField> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const { format, scoring, title } = run.contest
    const { unlikeOpponents, survival, verb } = formatOf(format.kind)
    const { standings } = await standingsOfRun(store, run)
    const rows = [...standings.rows].sort((a, b) => a.entrant - b.entrant)
    const members = rows.map(({ entrant }) => entrant)
    const played = playedMatches(members, scoring)
    const scoredGames: ScoredGame[] = []
    await store.eachMatch(run.id, (match) => {
      const seats = played.add(match)
      const game = seats && scoredGameOf({ ...match, seats }, scoring, match.luck)
      if (game !== undefined) scoredGames.push(game)
    })
    if (run.matches === 0)
      throw new UserError(message`the run ${run.id} of ${ref.contest} has no match yet: ${command('run')} continues it`)
    if (played.games.count === 0)
      throw new UserError(
        `no match of the run ${run.id} of ${ref.contest} counts: in all ${run.matches} played entrants that were withdrawn or disqualified since`,
      )
    const ranks = rows.map(({ rank }) => rank)
    const field = {
      title,
      names: rows.map(({ name }) => name),
      points: rows.map(({ points }) => points),
      matches: played.games.count,
      distinct: played.games.distinct(),
      field: rows.length,
      worth: scoring,
      // A table by something else than points is no order of points.
      order: verb ? undefined : ranks,
    }
    if (scoring.by === 'score') {
      const { min, max } = countedBounds(scoring, run.game.scores) ?? {}
      const bounds = min === undefined || max === undefined ? undefined : { min, max }
      const companies = played.sums.companies()
      if (companies.length === 0) throw new UserError(`${title} has no match with a score yet`)
      const { rare } = scoreIntervals(companies, meansOf(companies, rows.length), 0.95, bounds)
      const doubt = rare ? 'rare' : unlikeOpponents ? 'unlike' : undefined
      const luck = equalLuckOfScores(scoredGames)
      return rankField({ ...field, scored: { companies, bounds }, doubt, luck }, wish, context.signal)
    }
    const games = played.games.games()
    const doubt = !format.swap && seatsDecide(games) ? 'seats' : undefined
    const lastStanding = survival ? { format, scoring, games, ranks } : undefined
    const adaptive = unlikeOpponents || survival
    return rankField({ ...field, games, adaptive, doubt, lastStanding, luck: equalLuck(games) }, wish, context.signal)
  })
}

/** Checks the archive first. `gameFile`: of a game that is not agon's own. Throws as `rankRun` and `importRun`. */
export async function rankArchive(
  file: string,
  gameFile: string | undefined,
  wish: RankWish,
  context: Context,
): Promise<RankedField> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-rank-'))
  try {
    const { run, contest } = await importRun(file, gameFile, { ...context, workspace })
    return await rankRun({ contest, run }, wish, { ...context, workspace })
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

export const isArchive = (word: string): boolean => /\.(?:tar\.gz|tgz|agon|gz)$/i.test(word)

/** A file of first,second,score. Throws UserError if it is not there or holds another line, and the signal's reason. */
export async function rankFile(file: string, wish: RankWish, signal?: AbortSignal): Promise<RankedField> {
  if (!existsSync(file)) throw new UserError(`${file}: no such file; its lines would be first,second,score`)
  const { names, games } = readGames(file)
  const field = {
    title: file,
    names,
    matches: games.length,
    distinct: distinctGames(games),
    luck: equalLuck(games),
    field: names.length,
    games,
    worth: { win: 1, draw: 0.5, loss: 0 },
  }
  return rankField(field, wish, signal)
}

/** All rules but points take the cube of the field in time. */
const WHOLE = 1000

async function rankField(
  played: PlayedField,
  { rules: asked, simultaneous }: RankWish,
  signal: AbortSignal | undefined,
): Promise<RankedField> {
  const { names, games = [], scored, lastStanding } = played
  const isLarge = names.length > WHOLE
  const fitting = scored ? SCORE_RULES : RULES
  const hasUnit = (unit: string) => (rule: RuleName) => ruleNamed(rule).unit === unit
  const all = isLarge ? fitting.filter(hasUnit('points')) : fitting
  const unfit = asked.find((rule) => !all.includes(rule))
  if (unfit !== undefined) {
    const why = fitting.includes(unfit)
      ? `this rule is for at most ${WHOLE} entrants, and here are ${names.length}`
      : 'this rule needs wins, and in this contest scores count'
    throw new UserError(message`${option('by', unfit)}: ${why}; use one of ${all.join(', ')}`)
  }
  // Where the first is who stays in longest, its own order begins.
  const own = lastStanding ? all.filter(hasUnit('rounds')) : []
  const wanted = asked.length > 0 ? asked : [...new Set([...own, ...all])]
  const rankings: Ranking[] = []
  for (const rule of wanted) {
    // A rule may take seconds: this can be cancelled between two.
    await setImmediate()
    signal?.throwIfAborted()
    rankings.push(rankBy(rule, { ...played, simultaneous }))
  }
  const named = ({ members, confidence }: Cycle) => {
    return { members: members.map((entrant) => names[entrant] ?? ''), confidence }
  }
  const companies = scored?.companies ?? scoredCompanies(comparisonsOf(games))
  const cycles = isLarge ? [] : cyclesIn(meansOf(companies, names.length, scored ? {} : { coin: 0.25 }))
  return {
    ...played,
    simultaneous,
    by: scored ? 'score' : 'wins',
    rankings,
    crown: firstPlacesOf(names, rankings),
    cycles: cycles.map(named),
    leftOut: asked.length === 0 ? fitting.filter((rule) => !all.includes(rule)) : [],
  }
}

function firstPlacesOf(names: readonly string[], rankings: readonly Ranking[]): RankedField['crown'] {
  const held = new Map<string, RuleName[]>()
  for (const { by, lines } of rankings) {
    for (const { rank, entrant } of lines) {
      const name = names[entrant] ?? ''
      if (rank === 1) held.set(name, [...(held.get(name) ?? []), by])
    }
  }
  return [...held].map(([name, by]) => ({ name, by })).sort((a, b) => b.by.length - a.by.length)
}

const CYCLES_SHOWN = 5

const PAIRS = 'How probable it is that the one of the row stands before the one of the column, by their true values:'

/** One rule with all that is known, or several side by side; in so many columns. */
export function rankText(ranked: RankedField, columns: number): string {
  const { title, matches, distinct, names, rankings, simultaneous = false, doubt } = ranked
  const repeated = distinct < matches ? `, ${distinct} of them no repetition of one before` : ''
  const [first] = rankings
  const only = rankings.length === 1 ? first : undefined
  const paragraphs = [
    `${visible(title)}: ${counted(matches, 'match', 'matches')}${repeated}`,
    only ? oneTable(only, ranked) : sideBySide(ranked, columns),
    ...(only || doubt === 'seats' ? [] : [crownText(ranked)]),
    ...(only ? [...notesOf(only, names), ...intervalNote(only, simultaneous)] : []),
    ...(only?.before ? [PAIRS, beforeText(only.before, only.lines, names, columns)] : []),
    ...seatNotes(first?.seat),
    ...doubtNotes(doubt),
    ...lastNotes(ranked),
  ]
  return paragraphs.map((paragraph) => paragraph.trimEnd()).join('\n\n')
}

function lastNotes({ leftOut, names, cycles, luck }: RankedField): string[] {
  const note = luckNote(luck)
  if (leftOut.length > 0)
    return [
      `Left out, as a field of ${number(names.length)} is too large for them: ${leftOut.join(', ')}, and cycles.`,
      ...note,
    ]
  if (cycles.length === 0)
    return [['No cycle (A beats B beats C beats A) that is likelier than not.', ...note].join('\n')]
  const lines = cycles.slice(0, CYCLES_SHOWN).map(({ members, confidence }) => {
    const [first = ''] = members
    return `  ${[...members, first].map(visible).join(' beats ')} (${chance(confidence)})`
  })
  const more = cycles.length > CYCLES_SHOWN ? [`  and ${cycles.length - CYCLES_SHOWN} more`] : []
  return [['Cycles, with the probability that all three are so:', ...lines, ...more, ...note].join('\n')]
}

function luckNote({ effect, blocks }: EqualLuck): string[] {
  if (blocks === 0) return []
  const saved = 1 - effect
  const what =
    Math.abs(saved) < 0.005
      ? 'makes no difference to the variance'
      : `${saved > 0 ? 'saves' : 'costs'} ${percent(Math.abs(saved))} of the variance`
  return [`Equal luck (the same deal in every order of seats) ${what}, from ${counted(blocks, 'block')}.`]
}

/** Without a model of what is true a rule may jump where a result crosses a bound, and no interval is sure to hold. */
const isModelled = (by: Ranking['by']): boolean => ['Elo', 'points'].includes(ruleNamed(by).unit)

function intervalNote({ by, again, lines }: Ranking, simultaneous: boolean): string[] {
  if (again) return [placesNote({ again })]
  if (lines.every(({ low }) => low === undefined)) return []
  const resampled =
    'Each interval holds 95 % of the resamples: it shows what else the results might have come to, and promises no more.'
  if (!isModelled(by)) return [resampled]
  if (simultaneous) return ['The intervals hold all at once with 95 %.']
  return ['Each interval holds with 95 % by itself, and not all at once; simultaneous intervals do.']
}

function oneTable({ by, lines, again }: Ranking, ranked: RankedField): string {
  const { names } = ranked
  const format = figures(by, ranked)
  const flags = lines.map((line) => line.flags.join(', '))
  // Without a model: how often it came first, no probability.
  const first = again || isModelled(by) ? 'First' : 'First, resampled'
  return aligned([
    { head: '#', cells: lines.map(({ rank }) => String(rank)), right: true },
    { head: 'Name', cells: lines.map(({ entrant }) => visible(names[entrant] ?? '')), right: false },
    { head: headOf(by, ranked), cells: lines.map(({ value }) => format(value)), right: true },
    ...intervals(lines, format),
    ...numbers(first, lines, (line) => (line.first === undefined ? undefined : chance(line.first))),
    ...numbers('Ranks', lines, ({ ranks }) => ranks && [...new Set(ranks)].join('–')),
    ...numbers('Above next', lines, ({ superior }) => (superior === undefined ? undefined : chance(superior))),
    ...(flags.some((flag) => flag !== '') ? [{ head: '', cells: flags, right: false }] : []),
  ])
}

/** "A before B": rows A, columns B by number, as many as fit, and a line that says where the others are. */
function beforeText(before: Before, lines: Ranking['lines'], names: readonly string[], columns: number): string {
  const order = lines.map(({ entrant }) => entrant)
  const shown: Column[] = [
    { head: '#', cells: order.map((_, i) => String(i + 1)), right: true },
    { head: 'Before', cells: order.map((entrant) => visible(names[entrant] ?? '')), right: false },
  ]
  for (const [j, other] of order.entries()) {
    const cells = order.map((entrant, i) => (i === j ? '·' : chance(before[entrant]?.[other] ?? 0.5)))
    const column = { head: String(j + 1), cells, right: true }
    if (j > 0 && width(aligned([...shown, column]).split('\n')[1] ?? '') > columns)
      return `${aligned(shown)}${order.length - j} more columns are in the JSON, or in a wider terminal.\n`
    shown.push(column)
  }
  return aligned(shown)
}

function sideBySide(ranked: RankedField, columns: number): string {
  const { names, rankings } = ranked
  const order = rankings[0]?.lines.map(({ entrant }) => entrant) ?? []
  const name = { head: 'Name', cells: order.map((entrant) => visible(names[entrant] ?? '')), right: false }
  // What does not fit beside the others stands in a table below them.
  const tables: Column[][] = [[]]
  for (const { by, lines } of rankings) {
    const cells = order.map((entrant) => {
      const line = lines.find((one) => one.entrant === entrant)
      return line === undefined ? '' : `${figures(by, ranked)(line.value)} (${line.rank})`
    })
    const column = { head: headOf(by, ranked), right: true, cells }
    const last = tables.at(-1) ?? []
    const rows = aligned([name, ...last, column]).split('\n')
    if (last.length > 0 && Math.max(...rows.map(width)) > columns) tables.push([column])
    else last.push(column)
  }
  return tables.map((table) => aligned([name, ...table])).join('\n')
}

function crownText({ rankings, crown }: RankedField): string {
  if (crown.length > 0 && crown.every(({ by }) => by.length === rankings.length)) {
    const names = crown.map(({ name }) => visible(name)).join(', ')
    return `First by every rule here${crown.length > 1 ? ', shared' : ''}: ${names}.`
  }
  const lines = crown.map(({ name, by }) => `  ${visible(name)}: ${by.join(', ')}`)
  return `The crown depends on the rule (a shared first place is named for each):\n${lines.join('\n')}`
}

function notesOf({ lines }: Ranking, names: readonly string[]): string[] {
  const name = (i: number) => names[lines[i]?.entrant ?? -1] ?? ''
  const neighbours = lines.flatMap(({ superior }, i) =>
    superior === undefined ? [] : [{ upper: name(i), lower: name(i + 1), superior }],
  )
  const open = neighbours.filter(({ superior }) => superior < SEPARABLE)
  const unbounded =
    'Of who is unbeaten, winless or unconnected, games tell no bound on one side: there the rating follows how widely the field is spread.'
  return [
    ...openNotes(open, neighbours.length),
    ...firstNotes(lines.map(({ first }) => first)),
    ...(lines.some(({ flags }) => flags.length > 0) ? [unbounded] : []),
  ]
}

const headOf = (by: Ranking['by'], ranked: Pick<RankedField, 'by'>): string =>
  by === 'points' && ranked.by === 'score' ? 'Mean score' : ruleNamed(by).head

function figures(by: Ranking['by'], ranked: Pick<RankedField, 'by'>): (value: number) => string {
  const { unit } = ruleNamed(by)
  if (unit === 'Elo') return signed
  if (unit === 'share') return percent
  if (unit === 'rounds') return String
  return ranked.by === 'score' ? number : (value) => value.toFixed(3)
}

export function rankDocument(ranked: RankedField): unknown {
  const { title, names, matches, distinct, rankings, points, crown, cycles, luck, simultaneous = false, doubt } = ranked
  const rules = rankings.map(({ by, lines, before, seat, again }) => ({
    by,
    standings: lines.map(({ rank, entrant, value, low, high, first, ranks, flags, superior }) => ({
      rank,
      name: names[entrant] ?? '',
      points: by === 'points' && points ? points[entrant] : undefined,
      [WEIGHED.includes(by) ? 'weight' : 'rating']: value,
      low,
      high,
      unbounded: unboundedBy(flags),
      first,
      ranks,
      flags: flags.length > 0 ? flags : undefined,
      superior,
    })),
    seat,
    again,
    // Rows and columns in the order of the standings.
    ...(before && {
      before: lines.map(({ entrant: a }) => lines.map(({ entrant: b }) => (a === b ? null : before[a]?.[b]))),
    }),
  }))
  const [only] = rules
  return {
    title,
    matches,
    distinct,
    confidence: 0.95,
    simultaneous,
    unlike: doubt === 'unlike' ? true : undefined,
    doubt,
    ...(rules.length === 1 ? only : { rules, crown }),
    cycles,
    equalLuck: luck.blocks > 0 ? { blocks: luck.blocks, saved: 1 - luck.effect } : undefined,
  }
}
