import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'smol-toml'
import {
  botSeed,
  defaultWire,
  isFault,
  matchLuck,
  outcomeOf,
  readMove,
  wiresOf,
  allActions,
} from '../../src/core/index.js'
import type { AnyWire, Bot, GameDefinition, BotOutput, Me, Move, Outcome } from '../../src/core/index.js'
import { chanceOf } from '../../src/bots/module.js'

/** A house bot as the measurements need it: asked what it answers, in a match of these views, to those at the places `which`. */
export interface HouseBot {
  readonly name: string
  /** What it needs beside Node, sh and perl; undefined: nothing. */
  readonly needs: string | undefined
  answers(views: readonly unknown[], which: readonly number[], me: Me, key: string): readonly Move<string>[]
}
/** A table of house.toml, its commands already split. */
interface HouseField {
  readonly name: string
  readonly module?: string
  readonly command?: readonly string[]
  readonly build?: readonly string[]
  readonly wire?: string
}
/** What a seat was asked and answered, in order. */
type Asked = readonly { readonly view: unknown; readonly move: Move<string> }[]
interface Played {
  readonly outcome: Outcome
  readonly seats: readonly Asked[]
}

/**
 * The bots of a game that this machine can run, built in a folder of their own. Plain spawns, one after the other: a process
 * that stays is asked by saying all of the match to it again.
 */
export async function loadHouse(
  definition: GameDefinition,
): Promise<{ readonly bots: readonly HouseBot[]; close(): void }> {
  const source = resolve('src/games', definition.game.id, 'bots')
  const folder = mkdtempSync(join(tmpdir(), 'agon-house-'))
  cpSync(source, folder, { recursive: true })
  const { entrants } = parse(readFileSync(join(source, 'house.toml'), 'utf8')) as unknown as { entrants: HouseField[] }
  const bots: HouseBot[] = []
  for (const spec of entrants) {
    const [tool, ...rest] = spec.build ?? []
    if (tool !== undefined && spawnSync(tool, rest, { cwd: folder, stdio: 'ignore' }).status !== 0) continue
    const needs = ['sh', 'perl', undefined].includes(spec.command?.[0]) ? undefined : (tool ?? spec.command?.[0])
    if (spec.module !== undefined) {
      const { default: bot } = (await import(join(source, spec.module))) as { default: Bot<unknown, string> }
      bots.push({
        name: spec.name,
        needs,
        answers: (views, which, _, key) =>
          which.map((at) => moduleAnswer(definition, spec.name, bot, views[at], `${key}/${at}`)),
      })
    } else if (
      spawnSync(spec.command?.[0] ?? '', ['--version'], { cwd: folder, stdio: 'ignore' }).error === undefined
    ) {
      const wire = wiresOf(definition, definition.game.options)[spec.wire ?? defaultWire(definition)]
      if (wire === undefined) throw new Error(`${spec.name}: no wire ${spec.wire}`)
      bots.push({
        name: spec.name,
        needs,
        answers: (views, which, me, key) => {
          if (wire.transport === 'lines') return conversation(definition, spec, wire, folder, views, which, me, key)
          return which.map((at) => call(definition, spec, wire, folder, views[at], me, `${key}/${at}`))
        },
      })
    }
  }
  return { bots, close: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Plays one match of these bots. */
export function playHouse(definition: GameDefinition, bots: readonly HouseBot[], key: string): Played {
  const { game } = definition
  const names = bots.map((bot) => bot.name)
  let state = game.setup(bots.length, game.options, matchLuck('house', game.id, names, Number(key)))
  const seats: { view: unknown; move: Move<string> }[][] = bots.map(() => [])
  for (;;) {
    const outcome = outcomeOf(definition, state, bots.length)
    if (outcome) return { outcome, seats }
    const due = game.toMove(state)
    const moves = bots.map((bot, seat) => {
      if (!due.includes(seat)) return undefined
      const view = game.view(state, seat)
      const asked = seats[seat] ?? []
      const views = [...asked.map((each) => each.view), view]
      const [move] = bot.answers(views, [asked.length], meAt(seat, bots.length), `${names.join()}/${key}`)
      if (move === undefined) throw new Error(`${bot.name} was not asked`)
      asked.push({ view, move })
      return move
    })
    state = game.play(state, moves)
  }
}

/**
 * The share of questions that two bots answer alike: every second that either was put in these matches, its own answer beside
 * the other's. `bots[n]` sits first in `matches[n]`, those after it next.
 */
export function alike(bots: readonly HouseBot[], matches: readonly Played[], one: HouseBot, other: HouseBot): number {
  let [same, of] = [0, 0]
  for (const [n, { seats }] of matches.entries()) {
    for (const [seat, asked] of seats.entries()) {
      const own = bots[(n + seat) % bots.length]
      const asker = own === one ? other : own === other ? one : undefined
      if (asker === undefined) continue
      const views = asked.map((each) => each.view)
      const which = [...views.keys()].filter((k) => k % 2 === 1)
      const answers = asker.answers(views, which, meAt(seat, seats.length), 'again')
      of += which.length
      same += which.filter((k, i) => moveText(asked[k]?.move) === moveText(answers[i])).length
    }
  }
  if (of === 0) throw new Error(`${one.name} and ${other.name} were asked nothing`)
  return same / of
}

/** The share of matches in which a bot ends up before the first of these others, its seat moving on from match to match. */
export function ahead(definition: GameDefinition, bot: HouseBot, others: readonly HouseBot[], matches: number): number {
  let won = 0
  for (let k = 0; k < matches; k++) {
    const seat = k % (others.length + 1)
    const { place } = playHouse(definition, [...others.slice(0, seat), bot, ...others.slice(seat)], String(k)).outcome
    won += Number((place[seat] ?? 0) < (place[seat === 0 ? 1 : 0] ?? 0))
  }
  return won / matches
}
const moveText = (move: Move<string> | undefined): string => (isFault(move) ? move.fault : (move ?? ''))

const meAt = (seat: number, seats: number): Me => ({
  seat,
  ids: Array.from({ length: seats }, (_, k) => k),
  field: seats,
})

function moduleAnswer(
  definition: GameDefinition,
  name: string,
  bot: Bot<unknown, string>,
  view: unknown,
  key: string,
): Move<string> {
  const legal = allActions(definition.game.legal(view))
  const action = bot(
    view,
    chanceOf(() => botSeed('house', name, key)),
    legal,
  )
  if (typeof action !== 'string') throw new Error(`${name} answers later`)
  return legal.includes(action) ? action : { fault: 'illegal', said: action }
}

/** One process for one question. */
function call(
  definition: GameDefinition,
  spec: HouseField,
  wire: AnyWire,
  cwd: string,
  view: unknown,
  me: Me,
  key: string,
): Move<string> {
  const input = wire.ask(view, me)
  const file = wire.file === undefined ? undefined : join(cwd, wire.file)
  if (file !== undefined) writeFileSync(file, input.file ?? '', 'latin1')
  const ran = run(spec, cwd, [...(file === undefined ? [] : [file]), ...(input.argv ?? [])], input.lines ?? [], key)
  const output: BotOutput = {
    out: ran.stdout,
    exit: ran.status !== 0 ? (ran.status ?? 1) : undefined,
    file: file === undefined ? undefined : readFileSync(file, 'latin1'),
  }
  return judged(definition, wire, output, view, me, ran.stderr)
}

/** One process that is sent all of a match at once, and answers line by line. */
function conversation(
  definition: GameDefinition,
  spec: HouseField,
  wire: AnyWire,
  cwd: string,
  views: readonly unknown[],
  which: readonly number[],
  me: Me,
  key: string,
): readonly Move<string>[] {
  const inputs = [wire.start?.(views[0], me) ?? {}, ...views.map((view) => wire.ask(view, me))]
  const ran = run(
    spec,
    cwd,
    [],
    inputs.flatMap((input) => input.lines ?? []),
    key,
  )
  const lines = ran.stdout.split(/\r?\n/).slice(wire.ready === undefined ? 0 : 1)
  return which.map((at) => judged(definition, wire, { out: lines[at] ?? '' }, views[at], me, ran.stderr))
}

function judged(
  definition: GameDefinition,
  wire: AnyWire,
  output: BotOutput,
  view: unknown,
  me: Me,
  stderr: string,
): Move<string> {
  const move = readMove(definition.game, wire, output, view, me)
  return isFault(move) ? { ...move, why: `${move.why}; ${stderr}` } : move
}

/** Debian's own programs come first: shims that look for the right version start slowly. */
function run(spec: HouseField, cwd: string, argv: readonly string[], lines: readonly string[], key: string) {
  const [program = '', ...words] = spec.command ?? []
  return spawnSync(program, [...words, ...argv], {
    cwd,
    env: { PATH: `/usr/bin:/bin:${process.env.PATH}`, AGON_SEED: String(botSeed('house', spec.name, key)) },
    input: lines.map((line) => `${line}\n`).join(''),
    encoding: 'latin1',
  })
}
