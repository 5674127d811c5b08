import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'smol-toml'
import { houseSchema } from '../../src/contest/schema.js'
import type { Bot, GameDefinition, BotOutput, Me, Move, Moves, Options, Outcome } from '../../src/core/index.js'
import { botSeed, defaultWire, derive, newLuck, outcomeOf, readMove, wiresOf } from '../../src/core/index.js'
import { chanceOf } from '../../src/bots/index.js'

/**
 * A house bot that can be asked about any view by itself: a process a question, for bots whose answer depends on the view, their
 * state file and their chance alone.
 */
export interface FieldBot {
  readonly name: string
  /** What it needs: 'sh', 'perl', 'python3', 'cc', 'node' … */
  readonly needs: string
  ask(view: unknown, me: Me, question: string): Move<string>
}

/** A question as it was put. */
export interface Asked {
  readonly view: unknown
  readonly me: Me
}

export interface Field {
  readonly bots: readonly FieldBot[]
  /** Where they were built and run, with their state files. */
  readonly folder: string
  /** Removes what was built. */
  close(): void
}

/**
 * The house bots of a game, in the order of its house.toml, built in a folder of their own; those whose language this machine
 * lacks are left out.
 */
export async function fieldOf(definition: GameDefinition): Promise<Field> {
  const source = resolve('src/games', definition.game.id, 'bots')
  const room = mkdtempSync(join(tmpdir(), 'agon-field-'))
  cpSync(source, room, { recursive: true })
  const { entrants } = houseSchema.parse(parse(readFileSync(join(source, 'house.toml'), 'utf8')))
  const bots: FieldBot[] = []
  for (const { name = '', command, module, build, wire } of entrants) {
    const needs = module === undefined ? (words(build ?? command)[0] ?? '') : 'node'
    if (spawnSync(needs, ['--version'], { stdio: 'ignore' }).error) continue
    if (module !== undefined) {
      const { default: bot } = (await import(pathToFileURL(join(source, module)).href)) as {
        default: Bot<unknown, string>
      }
      bots.push({
        name,
        needs,
        ask: (view, _, question) =>
          bot(
            view,
            chanceOf(() => botSeed('field', name, question)),
            [],
          ) as string,
      })
      continue
    }
    if (build !== undefined) run(words(build), room, 0, '')
    bots.push({
      name,
      needs,
      ask: asker(definition, name, unshimmed(words(command)), wire ?? defaultWire(definition), room),
    })
  }
  return { bots, folder: room, close: () => rmSync(room, { recursive: true, force: true }) }
}

const words = (command: unknown): string[] =>
  Array.isArray(command) ? command.map(String) : String(command).split(' ')

/** A Python that a shim looks up at every start takes ten times as long to start. */
function unshimmed([program = '', ...args]: string[]): string[] {
  if (program !== 'python3') return [program, ...args]
  return [run([program, '-c', 'import sys; print(sys.executable)'], '.', 0, '').trim(), ...args]
}

function asker(
  definition: GameDefinition,
  name: string,
  command: string[],
  wireName: string,
  cwd: string,
): FieldBot['ask'] {
  const wire = wiresOf(definition, definition.game.options)[wireName]
  if (!wire) throw new Error(`${name}: no wire ${wireName}`)
  if (wire.state) mkdirSync(join(cwd, wire.state.folder), { recursive: true })
  return (view, me, question) => {
    const input = wire.ask(view, me)
    const lines = [...(wire.start?.(view, me).lines ?? []), ...(input.lines ?? [])]
    const stdin = lines.map((line) => `${line}\n`).join('')
    const out = run([...command, ...(input.argv ?? [])], cwd, botSeed('field', name, question), stdin)
    const output: BotOutput = { out: wire.transport === 'lines' ? out.replace(/\n$/, '') : out }
    return readMove(definition.game, wire, output, view, me)
  }
}

function run([program = '', ...args]: string[], cwd: string, seed: number, input: string): string {
  const env = { ...process.env, AGON_SEED: String(seed) }
  const { stdout, stderr, status, error } = spawnSync(program, args, { cwd, env, input, encoding: 'latin1' })
  if (error || status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/** A match among house bots: how it ended, how many steps it took, and every question with who was asked. */
export interface FieldMatch {
  readonly outcome: Outcome
  readonly steps: number
  readonly asked: readonly Asked[]
}

/** Plays a match, every draw of chance from its name. Throws where a bot commits a fault: ours do not. */
export function playField(
  definition: GameDefinition,
  bots: readonly FieldBot[],
  name: string,
  options: Options = definition.game.options,
): FieldMatch {
  const { game } = definition
  const asked: Asked[] = []
  const ids = bots.map((_, seat) => seat)
  let state = game.setup(bots.length, options, newLuck(derive('field', name)))
  for (let steps = 0; ; steps++) {
    const outcome = outcomeOf(definition, state, bots.length)
    if (outcome) return { outcome, steps, asked }
    const due = game.toMove(state)
    const moves: Moves<string> = bots.map((bot, seat) => {
      if (!due.includes(seat)) return undefined
      const question = { view: game.view(state, seat), me: { seat, ids, field: ids.length } }
      asked.push(question)
      const move = bot.ask(question.view, question.me, `${name}/${seat}/${steps}`)
      if (typeof move !== 'string')
        throw new Error(`${bot.name}: ${JSON.stringify(move)} on ${JSON.stringify(question.view)}`)
      return move
    })
    state = game.play(state, moves)
  }
}

/** How two bots compare: the share of each other's questions that they answer alike. */
export interface Agreement {
  readonly pair: string
  readonly share: number
}

/** Compares all bots by twos, on about `each` of the questions that either was asked in these matches. */
export function agreements(
  bots: readonly FieldBot[],
  asked: readonly (readonly Asked[])[],
  each: number,
): readonly Agreement[] {
  const questions = asked.map((all) => all.filter((_, n) => n % Math.ceil(all.length / each) === 0))
  const answers = bots.map((bot) =>
    questions.map((own, i) => own.map(({ view, me }, n) => JSON.stringify(bot.ask(view, me, `agreement/${i}/${n}`)))),
  )
  return bots.flatMap((one, i) =>
    bots.slice(i + 1).map((other, k): Agreement => {
      const j = i + 1 + k
      const [ours, theirs] = [i, j].map((bot) => [i, j].flatMap((whose) => answers[bot]?.[whose] ?? []))
      const alike = ours?.filter((answer, n) => answer === theirs?.[n]) ?? []
      return { pair: `${one.name} and ${other.name}`, share: alike.length / (ours?.length ?? 0) }
    }),
  )
}
