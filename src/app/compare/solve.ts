import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type BotModule,
  type GameDefinition,
  type Options,
  UserError,
  below,
  botOf,
  message,
  messageOf,
  option,
  visible,
} from '../../core/index.js'
import { chanceOf } from '../../bots/index.js'
import { houseBots, importFresh } from '../../contest/index.js'
import {
  type Knowledge,
  type SequenceForm,
  type StrategyRow,
  answersTo,
  sequenceForm,
  solveGame,
} from '../../lab/index.js'
import { aligned, counted } from '../../text/index.js'

export type SolvedGame = Awaited<ReturnType<typeof solve>>

/**
 * Finds an equilibrium of a game with these changes of its options, and measures modules (house bots by name, or, if they are trusted, files) against
 * their best answers. Throws UserError for a game that cannot be solved, and a bot whose policy cannot be asked for.
 */
export async function solve(
  definition: GameDefinition,
  changes: Options,
  { bots = [], trust = false }: { readonly bots?: readonly string[]; readonly trust?: boolean } = {},
) {
  const options = { ...definition.game.options, ...changes }
  const solution = await solveGame(definition, options)
  const found: Awaited<ReturnType<typeof measuredBot>>[] = []
  const form = bots.length > 0 ? sequenceForm(definition, options) : undefined
  for (const name of bots)
    if (form !== undefined) found.push(await measuredBot(form, name, fileOf(definition, name, trust)))
  return { game: definition.game.id, options, ...solution, bots: form && found }
}

function fileOf(definition: GameDefinition, name: string, trust: boolean): string {
  const house = houseBots(definition).find(({ spec }) => spec.name === name)
  if (house?.spec.module !== undefined) {
    const source = resolve(house.base, house.spec.module)
    // In the package it lies compiled.
    return existsSync(source) ? source : source.replace(/\.ts$/, '.js')
  }
  if (house !== undefined) throw new UserError(`${name} is a program: only modules can be asked for their policy`)
  if (!/\.[cm]?[jt]s$/.test(name))
    throw new UserError(
      `no house bot ${JSON.stringify(name)}, and no module's file: name one, or a file such as ./mybot.ts`,
    )
  if (!trust) throw new UserError(message`${name} would run in agon's own process: only ${option('trust')} allows it`)
  return resolve(name)
}

type Policy = (view: unknown) => Readonly<Record<string, number>>

/** Questions to a bot that draws, for each state of its knowledge. */
const ASKED = 1000
/** Loaded modules: a changed file is loaded again. */
let loads = 0

/**
 * What best answers to a module's policy gain above the game's value, on average of both seats. In this process it
 * tells its `policy`, or answers, wherever it may come to. `exact`: false if draws were sampled: estimated, rather too
 * high.
 */
async function measuredBot(form: SequenceForm, name: string, file: string) {
  const unmeasured = (why: string): UserError =>
    new UserError(`${name} cannot be measured: ${why.replace(/\s+/g, ' ')}`)
  const tried = async <T>(what: string, call: () => T | Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      throw unmeasured(`${what}${messageOf(error)}`)
    }
  }
  if (!existsSync(file)) throw new UserError(`there is no file ${name}: give the path of a module`)
  const module = await tried(
    'it does not load: ',
    async () => (await importFresh(file, `measured ${loads++}`)) as BotModule & { readonly policy?: unknown },
  )
  const bot = await tried('', () => botOf(module))
  const answer = async ({ view, actions }: Knowledge, seed: number) => {
    let drew = false
    const chance = chanceOf(() => {
      drew = true
      // As in a match, where no two seeds are near each other.
      return below(2 ** 31, `measured/${seed}`)
    })
    const action = await tried('it throws: ', () => bot(view, chance, actions))
    const at = actions.indexOf(action)
    if (at < 0) throw unmeasured(`it answers ${JSON.stringify(action)} where ${actions.join(', ')} are legal`)
    return { at, drew }
  }
  let exact = true
  const policyAt = async (knowledge: Knowledge): Promise<readonly number[]> => {
    const { view, actions } = knowledge
    const { policy, parameters } = module
    // Its own policy knows no parameters.
    if (typeof policy === 'function' && parameters === undefined) {
      const figures = await tried('it throws: ', () => (policy as Policy)(view))
      return actions.map((action) => figures[action] ?? 0)
    }
    const first = await answer(knowledge, 0)
    if (!first.drew) {
      if ((await answer(knowledge, 1)).at !== first.at)
        throw unmeasured('it answers the same view differently without using its random numbers')
      return actions.map((_, i) => Number(i === first.at))
    }
    exact = false
    const counts = actions.map(() => 0)
    for (let seed = 0; seed < ASKED; seed++) {
      const { at } = await answer(knowledge, seed)
      counts[at] = (counts[at] ?? 0) + 1
    }
    return counts.map((n) => n / ASKED)
  }
  const policies = new Map<Knowledge, readonly number[]>()
  for (const knowledge of form.knowledge.flat()) policies.set(knowledge, await policyAt(knowledge))
  const [most, least] = answersTo(form, (knowledge) => policies.get(knowledge) ?? [])
  return { name, exploitability: Math.max(0, (most - least) / 2), exact }
}

const ROWS = 12

export function solvedText({ value, exploitability, strategy, positions, method, bots = [] }: SolvedGame): string {
  const rows = strategy.filter(({ seat }) => seat === 0)
  // Backward induction comes to the beginning last.
  const shown = (method === 'backward induction' ? rows.toReversed() : rows).slice(0, ROWS)
  return [
    `value ${figure(value)} for seat 0, exploitability ${figure(exploitability)} (${method}, ${counted(positions, 'position')})`,
    ...bots.map(({ name, exploitability: lost, exact }) => {
      return `${visible(name)}: exploitability ${figure(lost)}${exact ? '' : ', about: its policy was sampled'}`
    }),
    '',
    aligned([
      { head: 'seat 0 plays', cells: shown.map(({ policy }) => policyText(policy)), right: false },
      { head: 'where it knows', cells: shown.map(({ view }) => visible(JSON.stringify(view))), right: false },
    ]),
    ...(rows.length > shown.length
      ? [`and ${counted(rows.length - shown.length, 'more case')} in the JSON document`]
      : []),
  ].join('\n')
}

/** What is 0 but for rounding is 0. */
const figure = (value: number): string => String(Math.round(1e7 * value) / 1e7 || 0)

function policyText(policy: StrategyRow['policy']): string {
  const played = Object.entries(policy).filter(([, p]) => p > 0.0005)
  return played
    .map(([action, p]) => (p > 0.9995 ? visible(action) : `${visible(action)} ${(100 * p).toFixed(1)}%`))
    .join(', ')
}
