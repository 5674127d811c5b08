import {
  type AnyGame,
  type Ending,
  type GameDefinition,
  GameMistake,
  type Legal,
  LEGAL_ACTIONS,
  type Luck,
  type Moves,
  type Options,
  type Said,
  isFault,
  lookUp,
  isList,
  mistakeIn,
} from '../core/index.js'
import { findIsolation } from '../sandbox/index.js'
import { Program, ProgramTrouble } from './program-process.js'
import { readyProgram } from './program-source.js'

/*
 * A game program holds the matches; agon's state is how far one has come: its setup, all moves since, and the last position. To go on from
 * the newest state is one line and its answer. From any other one the match is set up and played again.
 */

/** What an answer to 'setup' and 'play' has. */
interface Position {
  readonly due: readonly number[]
  readonly views: readonly unknown[]
  readonly legal: readonly (Legal | null)[]
  readonly board?: string
  readonly outcome?: Ending
}

interface State {
  readonly seats: number
  readonly options: Options
  readonly seed: string
  /** The moves of each step, and what was said beside them, as a line of JSON: a growing text is cheaper than copied lists. */
  readonly moves: string
  readonly position: Position
}

/** `[limits] game`, unless the contest says otherwise. */
const ANSWER_MS = 10_000
/** Matches that are open in a program: of more the oldest are ended, and set up again if they go on. */
const MOST_OPEN = 200
/** Views that are no objects, whose legal actions are remembered. */
const MOST_PLAIN = 10_000

/** Starts a game's program and asks it what it is. `shown`: its file, for a person. Throws UserError. */
export async function programGame(file: string, shown: string, limitMs = ANSWER_MS): Promise<GameDefinition> {
  const [ready, isolation] = await Promise.all([readyProgram(file), findIsolation()])
  const programs = [0, 1].map((hash) => new Program(ready, { bubblewrap: isolation.program, limitMs, hash }))
  return new ProgramGame(shown, programs).definition()
}

const teamsIn = (teams: unknown, seats: number): unknown =>
  typeof teams === 'object' && teams !== null ? lookUp(teams as Record<string, unknown>, String(seats)) : undefined

class ProgramGame {
  private twice = false
  private matches = 0
  /** The matches that are open, the oldest first. */
  private readonly open = new Set<number>()
  /** The match that has come to a state. */
  private readonly heads = new WeakMap<object, number>()
  private readonly legals = new WeakMap<object, Legal>()
  private readonly plain = new Map<unknown, Legal>()

  constructor(
    private readonly shown: string,
    private readonly programs: readonly Program[],
  ) {}

  definition(): GameDefinition {
    const described = this.ask({ type: 'describe' }, () => ' (asked to describe itself)')
    const { id, version, seats, options = {}, title = id, rules, scores, hidden, teams, say } = described
    const game = {
      id,
      version,
      seats,
      options,
      scores,
      say: say === true ? true : undefined,
      teams: teams === undefined ? undefined : (count: number) => teamsIn(teams, count),
      setup: (count: number, wished: Options, luck: Luck) => this.setup(count, wished, luck),
      toMove: (state: State) => state.position.due,
      view: (state: State, seat: number) => state.position.views[seat],
      legal: (view: unknown) => this.legal(view),
      play: (state: State, moves: Moves<string>, said?: Said) => this.play(state, moves, said),
      outcome: (state: State) => state.position.outcome,
    }
    return {
      game: game as unknown as AnyGame,
      title: String(title),
      summary: '',
      rules: typeof rules === 'string' ? rules : undefined,
      open: hidden === false,
      board: (state) => boardOf((state as State).position),
      program: {
        hidden: hidden === true,
        askTwice: () => {
          this.twice = true
        },
      },
    }
  }

  private setup(seats: number, options: Options, { seed }: Luck): State {
    const match = this.begin()
    const position = this.position({ type: 'setup', match, seats, options, seed }, match, seats, at(seed, 0))
    return this.reached({ seats, options, seed, moves: '', position }, match)
  }

  private play(state: State, moves: Moves<string>, said?: Said): State {
    const played = JSON.stringify(
      moves.map((move) => (move === undefined ? null : isFault(move) ? { fault: move.fault } : move)),
    )
    const line = said === undefined ? played : `${played},"said":${JSON.stringify(said.map((text) => text ?? null))}`
    const known = this.heads.get(state)
    const match = known !== undefined && this.open.has(known) ? known : this.again(state)
    this.heads.delete(state)
    const { seats, seed } = state
    const turn = (): number => state.moves.split('\n').length
    const next = this.step(match, line, seats, at(seed, turn))
    return this.reached({ ...state, moves: `${state.moves}${line}\n`, position: next }, match)
  }

  /** Sets a match up again, and plays it to this state. */
  private again({ seats, options, seed, moves }: State): number {
    const match = this.begin()
    this.position({ type: 'setup', match, seats, options, seed }, match, seats, at(seed, 0))
    const lines = moves.split('\n').slice(0, -1)
    for (const [turn, line] of lines.entries()) this.step(match, line, seats, at(seed, turn + 1))
    return match
  }

  private step(match: number, line: string, seats: number, where: Where): Position {
    return this.position(`{"type":"play","match":${match},"moves":${line}}`, match, seats, where)
  }

  private begin(): number {
    const match = ++this.matches
    this.open.add(match)
    const [oldest] = this.open
    if (this.open.size > MOST_OPEN && oldest !== undefined) this.end(oldest)
    return match
  }

  private end(match: number): void {
    this.open.delete(match)
    for (const program of this.asked()) program.tell(JSON.stringify({ type: 'end', match }))
  }

  private reached(state: State, match: number): State {
    if (state.position.outcome === undefined) this.heads.set(state, match)
    else this.end(match)
    return state
  }

  private legal(view: unknown): Legal {
    const legal = typeof view === 'object' && view !== null ? this.legals.get(view) : this.plain.get(view)
    if (legal === undefined)
      throw new Error(`${this.shown}: the legal actions are asked for of a view that it has not given`)
    return legal
  }

  private position(message: object | string, match: number, seats: number, where: Where): Position {
    const answer = this.ask(message, where)
    const why = refused(answer, match, seats)
    if (why !== undefined) throw this.mistake(`its position ${why}`, where)
    const { due, views, legal, board, outcome } = answer as unknown as Position
    for (const [seat, view] of views.entries()) this.remember(view, legal[seat] ?? [])
    // A state is plain data: it has no keys without a value.
    return { due, views, legal, ...(board !== undefined && { board }), ...(outcome && { outcome }) }
  }

  private remember(view: unknown, legal: Legal): void {
    if (typeof view === 'object' && view !== null) this.legals.set(view, legal)
    else if (!(isList(legal) && legal.length === 0)) {
      // The oldest goes: matches that are open have the newest.
      this.plain.delete(view)
      this.plain.set(view, legal)
      if (this.plain.size > MOST_PLAIN) this.plain.delete(this.plain.keys().next().value)
    }
  }

  private asked(): readonly Program[] {
    return this.twice ? this.programs : this.programs.slice(0, 1)
  }

  private ask(message: object | string, where: Where): Readonly<Record<string, unknown>> {
    const line = typeof message === 'string' ? message : JSON.stringify(message)
    const [first = '', second = first] = this.asked().map((program) => this.lineOf(program, line, where))
    if (second !== first)
      throw this.mistake(`it is not pure: two of it that were told the same differ: ${unlike(first, second)}`, where)
    let answer: unknown
    try {
      answer = JSON.parse(first)
    } catch {
      throw this.mistake(`its answer is no JSON: ${JSON.stringify(first.slice(0, 200))}`, where, true)
    }
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
      throw this.mistake(`its answer is no JSON object: ${first.slice(0, 200)}`, where, true)
    const parts = answer as Readonly<Record<string, unknown>>
    const { error } = parts
    if (error === undefined) return parts
    throw this.mistake(`it says: ${(typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 1000)}`, where)
  }

  private lineOf(program: Program, line: string, where: Where): string {
    try {
      return program.ask(line)
    } catch (error) {
      if (!(error instanceof ProgramTrouble)) throw error
      this.lost()
      throw this.mistake(`it ${error.message}`, where)
    }
  }

  /** `spoilt`: what it says next may belong to what it said now. */
  private mistake(why: string, where: Where, spoilt = false): GameMistake {
    let more = ''
    if (spoilt) {
      more = this.programs[0]?.failed('').message ?? ''
      this.lost()
    }
    const what = `${why}${more}`.replace(/\s*\n\s*/g, ' | ')
    return new GameMistake(`${this.shown}: ${what}${where()}`, what)
  }

  /** A program has ended, and no other may go on where it stood. */
  private lost(): void {
    for (const program of this.programs) program.end()
    this.open.clear()
  }
}

/** Where a program was asked, for a person; only a mistake is told it. */
type Where = () => string

const at =
  (seed: string, turn: number | (() => number)): Where =>
  () => {
    const n = typeof turn === 'number' ? turn : turn()
    return ` (${n === 0 ? 'at its beginning' : `in turn ${n}`}; luck ${JSON.stringify(seed)})`
  }

function unlike(first: string, second: string): string {
  let from = 0
  while (first[from] === second[from]) from++
  const [one, other] = [first, second].map((line) => line.slice(Math.max(0, from - 30), from + 60))
  return `…${one}… and …${other}…`
}

const boardOf = ({ board, views }: Position): string =>
  board ?? views.map((view, seat) => `seat ${seat}: ${JSON.stringify(view)}`).join('\n')

/**
 * What is wrong with a position, behind 'its position'; undefined: nothing. Outcomes are checked by all games' rules.
 */
function refused(answer: Readonly<Record<string, unknown>>, match: number, seats: number): string | undefined {
  const { due, views, legal, board, outcome } = answer
  if (answer['match'] !== match)
    return `is of match ${JSON.stringify(answer['match'])}, and match ${match} was asked for`
  for (const [name, list] of Object.entries({ views, legal })) {
    if (!Array.isArray(list)) return `has no ${name}: a list by seat`
    if (list.length !== seats) return `has ${name} of ${list.length} seats, and there are ${seats}`
  }
  if (!Array.isArray(due)) return 'has no due: a list of seats'
  const stranger: unknown = due.find(
    (seat, i) => !Number.isInteger(seat) || seat < 0 || seat >= seats || due.indexOf(seat) < i,
  )
  if (stranger !== undefined) return `has due [${due.join(', ')}], and the seats are 0 to ${seats - 1}, each once`
  if (due.length > 0 && outcome !== undefined && outcome !== null)
    return `has an outcome although seats are due: ${due.join(', ')}`
  if (due.length === 0 && (outcome === undefined || outcome === null)) return 'has nobody who is due, and no outcome'
  if (board !== undefined && typeof board !== 'string') return 'has a board that is no text'
  for (const seat of due as number[]) {
    const why = refusedActions((legal as unknown[])[seat])
    if (why !== undefined) return `gives seat ${seat}, which is due, legal ${why}`
  }
  return undefined
}

function refusedActions(legal: unknown): string | undefined {
  if (!Array.isArray(legal)) return mistakeIn(legal)
  if (legal.length === 0) return '[]: there has to be an action'
  if (legal.length > LEGAL_ACTIONS)
    return `${legal.length} actions, and may give ${LEGAL_ACTIONS}: describe them by a shape`
  const odd: unknown = legal.find((action) => typeof action !== 'string' || action === '')
  return odd === undefined ? undefined : `${JSON.stringify(odd)}: an action is a text that is not empty`
}
