import type { Command } from 'commander'
import { type GameKit, type MatchRecord, type Say, UserError, unpackHeard, visible } from '../core/index.js'
import { joinCommand } from '../contest/index.js'
import { benchOf, judge, meAt, walk, wireAt } from '../match/index.js'
import type { MatchRow, RunSummary, Store } from '../store/index.js'
import { excludedText } from '../app/control.js'
import { exchangeLines } from '../app/exchange.js'
import { faultLines } from '../archive/faults.js'

import { entrantNamed, gameOf, standOf, withRun } from '../app/stored.js'
import { print } from './terminal.js'
import { counted, faultText, aligned, shorten } from '../text/index.js'
import { timingOf, timingText } from '../app/timing.js'
import { type GamedFlags, addGamedOptions, contextOf } from './options.js'

const HELP = `
Each match is told with its faults: what the bot was sent, what it said; where it
lost without a fault, the last of both. --timing is the audit of a bot's clock.

Examples:
  agon show gunduel Mirror --losses
  agon show friday.toml Ant --timing`

interface Given extends GamedFlags {
  readonly losses?: boolean
  readonly timing?: boolean
  readonly last: string
  readonly json?: boolean
}

export function showCommand(command: Command): void {
  addGamedOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('[bot]', 'the name of an entrant; without one, with --timing, all of them')
    .option('--losses', 'only the matches in which it was not first')
    .option('--timing', 'how long its answers took, and what was played again because the machine stalled')
    .option('--last <n>', 'the newest so many matches', '20')
    .option('--json', 'as JSON')
    .addHelpText('after', HELP)
    .action(async (ref: string, bot: string | undefined, given: Given) => {
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        const entrant = bot === undefined ? undefined : entrantNamed(run, bot)
        if (given.timing) {
          const timing = await timingOf(store, run, entrant)
          return print(given.json ? JSON.stringify(timing, undefined, 2) : timingText(timing))
        }
        if (entrant === undefined) throw new UserError(`name a bot: one of ${run.plan.names.join(', ')}`)
        const last = Number(given.last)
        if (!Number.isInteger(last) || last < 1) throw new UserError(`--last ${given.last}: a whole number from 1`)
        const shown = await shownOf(store, run, ref, entrant, { last, ...(given.losses && { lost: true }) }, given.game)
        print(given.json ? JSON.stringify(shown, undefined, 2) : textOf(shown))
      })
    })
}

type Shown = Awaited<ReturnType<typeof shownOf>>

async function shownOf(
  store: Store,
  run: RunSummary,
  ref: string,
  entrant: number,
  filter: { last: number; lost?: true },
  game: string | undefined,
) {
  const kit = await gameOf(run, game)
  const { standing, pairs } = await store.page(run.id, entrant)
  const { standings, exclusions } = await standOf(store, run)
  const row = standings.rows.find((one) => one.entrant === entrant)
  const out = exclusions.find(({ name }) => name === standing.name)
  const matches = []
  for (const match of await store.matches(run.id, { entrant, ...filter }))
    matches.push(toldOf(kit, run, ref, entrant, match, await store.recordOf(match.id)))
  const { name, wins, draws, losses } = standing
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
    shown: matches,
    stderr: await store.stderr(run.id, name),
  }
}

/** A match as one of its bots sees it. */
function toldOf(kit: GameKit, run: RunSummary, ref: string, entrant: number, match: MatchRow, record: MatchRecord) {
  const seat = match.seats.indexOf(entrant)
  const { faults } = judge(kit, record)
  const own = faults.filter((fault) => fault.seat === seat)
  const turns = own.length > 0 ? own.slice(0, FAULTS).map(({ turn }) => turn) : [lastTurn(record, seat)]
  return {
    match: match.place,
    at: match.at,
    place: match.outcome.place[seat],
    reason: match.outcome.reason,
    against: match.seats.filter((_, other) => other !== seat).map((other) => run.plan.names[other] ?? ''),
    faults: own.map(({ turn, fault, why, said }) => ({ turn, fault, why, said })),
    exchanges: exchangesOf(kit, record, seat, turns),
    replay: joinCommand(['agon', 'replay', ref, '--match', match.place, '--run', run.id]),
  }
}
/** Faults of a match that are told with what was sent and said. */
const FAULTS = 3

/** The last turn in which a seat was asked; -1: it never was. */
const lastTurn = (record: MatchRecord, seat: number): number =>
  record.steps.findLastIndex((step) => step.some(([who]) => who === seat))

/** What a seat was sent and said in these turns, as lines for a person. */
function exchangesOf(kit: GameKit, record: MatchRecord, seat: number, turns: readonly number[]) {
  const bench = benchOf(kit, record)
  const wire = wireAt(bench, seat)
  const me = meAt(bench, seat)
  const exchanges: { turn: number; lines: readonly string[] }[] = []
  let turn = 0
  for (const { before, heard } of walk(kit, record)) {
    const answer = heard.get(seat)
    if (turns.includes(turn) && answer !== undefined) {
      const view = kit.game.view(before, seat)
      const said: Say[] = turn === 0 && wire.start ? [wire.start(view, me), wire.ask(view, me)] : [wire.ask(view, me)]
      const at = record.steps[turn]?.findIndex(([who]) => who === seat) ?? 0
      const [wallUs = 0] = record.times?.[turn]?.[at] ?? []
      exchanges.push({ turn, lines: exchangeLines({ said, view, answer: { heard: unpackHeard(answer), wallUs } }) })
    }
    turn++
  }
  return exchanges
}

function textOf(shown: Shown): string {
  const { rank, points, excluded } = shown
  const place = rank === undefined ? (excluded ?? 'not in the table') : `rank ${rank}, ${points} points`
  const sums = `${counted(shown.matches, 'match', 'matches')}: ${shown.wins} won, ${shown.draws} drawn, ${shown.losses} lost`
  const [faults = 'No faults'] = faultLines(
    new Map(Object.keys(shown.faults).length > 0 ? [[shown.name, shown.faults]] : []),
  )
  const opponents = aligned([
    { head: 'Against', cells: shown.opponents.map(({ name }) => visible(name)), right: false },
    { head: 'Ahead', cells: shown.opponents.map(({ ahead }) => String(ahead)), right: true },
    { head: 'Level', cells: shown.opponents.map(({ level }) => String(level)), right: true },
    { head: 'Behind', cells: shown.opponents.map(({ behind }) => String(behind)), right: true },
  ])
  return [
    `${visible(shown.name)}${shown.author === undefined ? '' : ` by ${visible(shown.author)}`} in ${visible(shown.contest)} (run ${shown.run}): ${visible(place)}; ${sums}. ${visible(faults)}.`,
    '',
    opponents,
    ...shown.shown.map((match) => matchText(shown.name, match)),
    ...(shown.stderr === '' ? [] : ['The end of its standard error:', ...lastLines(shown.stderr)]),
  ].join('\n')
}

function matchText(
  name: string,
  { match, place, reason, against, faults, exchanges, replay }: Shown['shown'][number],
): string {
  const told = exchanges.flatMap(({ turn, lines }) => [
    `    turn ${turn + 1}:`,
    ...lines.map((line) => `      ${line}`),
  ])
  const more = faults.length > FAULTS ? [`    and ${counted(faults.length - FAULTS, 'fault')} more`] : []
  return [
    visible(`${match} against ${against.join(', ')}: place ${place} (${reason})`),
    ...faults.slice(0, FAULTS).map((fault) => `    ${faultText(name, strict(fault))}, turn ${fault.turn + 1}`),
    ...more,
    ...told,
    `    replay: ${visible(replay)}`,
    '',
  ].join('\n')
}

/** Without the parts that are not there. */
const strict = ({ fault, why, said }: Shown['shown'][number]['faults'][number]) => ({
  fault,
  ...(why !== undefined && { why }),
  ...(said !== undefined && { said }),
})

const lastLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .slice(-20)
    .map((line) => `  ${visible(shorten(line, 200))}`)
