import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'smol-toml'
import { houseSchema } from '../../src/contest/schema.js'
import type { Bot, MatchRecord, BotInput } from '../../src/core/index.js'
import { matchLuck, unpackOutput, wiresOf } from '../../src/core/index.js'
import { type Seatable, BotFactory } from '../../src/engine/entrant.js'
import definition from '../../src/games/gunduel/index.js'
import type { View } from '../../src/games/gunduel/rules.js'
import { playMatch } from '../../src/match/index.js'
import type { SeatedBot } from '../../src/bots/index.js'

const game = definition.game
const wires = wiresOf(definition, game.options)
const FOLDER = resolve('src/games/gunduel')
/** More entrants than there are. */
const FIELD = 99
/** Milliseconds: a machine under load must not decide a duel. */
const LIMIT = 10_000

/** What must be there. */
function sure<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is not there')
  return value
}

/** A duel between two of the field, by their places in it. */
export interface Fought {
  readonly seats: readonly [number, number]
  readonly record: MatchRecord
}

export interface Agreement {
  readonly of: number
  readonly alike: number
  readonly asked: number
}

/** The gun duel's house bots, built in a room of their own, each alive until `close`. */
export class Duellists {
  private readonly room = mkdtempSync(join(tmpdir(), 'agon-duellists-'))
  private readonly factory: BotFactory
  private readonly bots: SeatedBot[] = []
  readonly entrants: readonly Seatable[]
  /** Why some of them are not there: what they are written in is missing. */
  readonly missing: readonly string[]

  constructor(seed: string) {
    const source = join(this.room, 'source')
    cpSync(join(FOLDER, 'bots'), source, { recursive: true })
    const { entrants } = houseSchema.parse(parse(readFileSync(join(source, 'house.toml'), 'utf8')))
    const made = entrants.map((entrant) => make(entrant, source))
    this.entrants = made.filter((entrant) => typeof entrant !== 'string')
    this.missing = made.filter((entrant) => typeof entrant === 'string')
    const context = { seed, wires, rooms: join(this.room, 'rooms'), limits: {}, note: () => {} }
    this.factory = new BotFactory(context)
    this.bots = this.entrants.map((entrant) => this.factory.bot(entrant, 'tournament'))
  }

  /** Plays the duels of a pair, seats swapped from one to the next. Each bot remembers all its duels. */
  async duels(one: number, two: number, count: number): Promise<readonly Fought[]> {
    const fought: Fought[] = []
    for (let n = 0; n < count; n++) {
      const seats = n % 2 === 0 ? ([one, two] as const) : ([two, one] as const)
      const entrants = seats.map((place) => sure(this.entrants[place]))
      const fixture = {
        agon: 1 as const,
        key: `${seats.join('-')}/${n}`,
        game: game.id,
        version: game.version,
        options: game.options,
        luck: matchLuck(
          'duellists',
          game.id,
          entrants.map(({ name }) => name),
          n,
        ),
        field: FIELD,
        seats: entrants.map(({ name, wire }, seat) => ({ entrant: name, wire, id: sure(seats[seat]) })),
      }
      const players = seats.map((place) => sure(this.bots[place]))
      fought.push({ seats, record: await playMatch({ fixture, definition, players, limits: { turn: LIMIT } }) })
    }
    return fought
  }

  /**
   * How often a second bot of `shadow`, led through duels in the seat of each of the others, would have done what they did: counts
   * of views by their places.
   */
  async agreement(shadow: number, duelsOf: (place: number) => readonly Fought[]): Promise<readonly Agreement[]> {
    const entrant = sure(this.entrants[shadow])
    const bot = this.factory.bot(entrant, 'shadow')
    const others = this.entrants.map((_, place) => place).filter((place) => place !== shadow)
    const all: Agreement[] = []
    for (const of of others) {
      let [alike, asked] = [0, 0]
      for (const { seats, record } of duelsOf(of)) {
        const answers = await led(bot, entrant.wire, record, seats.indexOf(of))
        asked += answers.length
        alike += answers.filter(Boolean).length
      }
      all.push({ of, alike, asked })
    }
    await bot.close()
    return all
  }

  async close(): Promise<void> {
    await Promise.all(this.bots.map((bot) => bot.close()))
    rmSync(this.room, { recursive: true, force: true })
  }
}

/** Leads a bot through a duel in the seat of another: whether each of its answers is the one that was recorded. */
async function led(bot: SeatedBot, wireName: string, record: MatchRecord, seat: number): Promise<readonly boolean[]> {
  const wire = sure(wires[wireName])
  const me = { seat, ids: record.seats.map(({ id }) => id), field: FIELD }
  let state = game.setup(2, game.options, record.luck)
  const view = (): View => Object.freeze(game.view(state, seat)) as View
  const send = async (input: BotInput | undefined): Promise<void> => input && (await bot.send(input))
  const same: boolean[] = []
  await bot.begin(`${String(record.key)} in seat ${seat}`)
  await send(wire.start?.(view(), me))
  for (const [number, step] of record.steps.entries()) {
    const moves = step.map(([at, output]) =>
      sure(wires[sure(record.seats[at]).wire]).read(unpackOutput(output), view(), me),
    )
    const { output } = await bot.ask({ input: wire.ask(view(), me), view: view(), number, limit: LIMIT })
    same.push(wire.read(output, view(), me) === moves[seat])
    state = game.play(state, moves)
    await send(wire.update?.(view(), me))
  }
  await send(wire.end?.(view(), record.outcome, me))
  await bot.end()
  return same
}

type Listed = ReturnType<typeof houseSchema.parse>['entrants'][number]

/** The entrant, built; or why it cannot be had. */
function make({ name = '', command, module, class: header, build, wire }: Listed, source: string): Seatable | string {
  const live = { name, memory: 'tournament' as const }
  if (module !== undefined) {
    const url = pathToFileURL(join(FOLDER, 'bots', module)).href
    const load = async () => ((await import(url)) as { default: Bot<unknown, string> }).default
    return { ...live, wire: 'module', run: { kind: 'module', load } }
  }
  const words = (text: Listed['command'] | Listed['build'] = []) => [text].flat(2).map(String)
  const step = header === undefined ? words(build) : shimCommand(header, source)
  const argv = header === undefined ? words(command) : [join(source, basename(header, '.hpp'))]
  const needed = [...step.slice(0, 1), ...(header === undefined ? argv.slice(0, 1) : [])]
  const absent = needed.find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  if (absent !== undefined) return `${name} needs ${absent}`
  if (step.length > 0) execFileSync(sure(step[0]), step.slice(1), { cwd: source, stdio: 'pipe' })
  const placed = argv.map((word) => (existsSync(join(source, word)) && word !== '.' ? join(source, word) : word))
  const memory = wire === 'exit' ? ('turn' as const) : live.memory
  const wireName = header === undefined ? (wire ?? sure(definition.wire)) : 'class'
  return { name, memory, wire: wireName, run: { kind: 'process', argv: placed, source } }
}

function shimCommand(header: string, folder: string): string[] {
  const shim = join(FOLDER, 'shim')
  const name = basename(header, '.hpp')
  const values: Readonly<Record<string, string>> = { shim, folder, header, class: name, out: join(folder, name) }
  const { command } = JSON.parse(readFileSync(join(shim, 'build.json'), 'utf8')) as { command: readonly string[] }
  return command
    .filter((word) => word !== '{sources}')
    .map((word) => word.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? ''))
}
