import { type GameKit, type Options, isFault, newLuck, wiresOf } from '../core/index.js'
import { NO_START } from '../cells/index.js'
import { type Bench, DEFAULT_TURN_MS, benchOf, moveOf, unreadyOf } from '../match/index.js'
import { type Entrant, Stable } from './entrant.js'

/** What came of an entrant's check before the tournament. */
export interface Admission {
  /** Undefined: admitted. Else why it is not: it does not start, or does not answer the wire's call for admission. */
  readonly refused?: string
  /** Admitted, but its first answer was a fault: the host should know. */
  readonly warning?: string
  /** It did not get ready for its first match. */
  readonly unready?: true
}

export interface AdmissionSetting {
  readonly kit: GameKit
  readonly options: Options
  /** Of a match. */
  readonly seats: number
  readonly seed: string
  readonly limits: Readonly<Record<string, number>>
  readonly rooms: string
}

/**
 * Starts an entrant in a life of its own, makes the wire's call for admission where it has one, and asks one question. Only what
 * does not start, or fails that call, is refused: what a wrong answer costs is for the game to say.
 */
export async function admit(entrant: Entrant, setting: AdmissionSetting): Promise<Admission> {
  const { kit, options, seats, seed } = setting
  const wires = wiresOf(kit, options)
  const wire = wires[entrant.wire]
  if (wire === undefined) return { refused: `${kit.game.id} has no wire '${entrant.wire}'` }
  const stable = new Stable({ seed, wires, rooms: setting.rooms, limits: setting.limits, note: () => undefined })
  const bot = stable.bot(entrant, 'admission')
  const limit = (name: string) => setting.limits[name] ?? wire.limits?.[name] ?? DEFAULT_TURN_MS
  try {
    await bot.begin('admission')
    const { ready } = wire
    if (ready?.at === 'admission') {
      const { heard } = await bot.ready(ready.say, limit(ready.within))
      if (heard.trouble !== undefined || !ready.ok(heard)) {
        return {
          refused: `was expected to ${ready.expects}, ${heard.why ?? `and said ${JSON.stringify((heard.out ?? '').slice(0, 60))}`}${lastWords(stable, entrant)}`,
        }
      }
    }
    const bench = trialBench(kit, options, entrant, seats)
    const state = kit.game.setup(seats, options, newLuck(`admission ${seed}`))
    const seat = kit.game.toMove(state)[0] ?? 0
    const me = bench.me[seat] as Bench['me'][number]
    const readied =
      ready?.at === 'match' ? [[seat, (await bot.ready(ready.say, limit(ready.within))).heard] as const] : []
    const unready = unreadyOf(bench, readied)
    const view = kit.game.view(state, seat)
    const start = wire.start?.(view, me)
    if (start) await bot.tell(start)
    const { heard } = await bot.ask({ say: wire.ask(view, me), view, number: 0, limit: limit('turn') })
    if (heard.why?.startsWith(NO_START)) return { refused: `${heard.why}${lastWords(stable, entrant)}` }
    const move = moveOf(bench, unready, seat, heard, view)
    if (!isFault(move)) return {}
    const why = move.why ? `: ${move.why}` : ''
    const warning = `its first answer was a fault: ${move.fault}${why}${lastWords(stable, entrant)}`
    return { warning, ...(unready.size > 0 && { unready: true }) }
  } catch (error) {
    return { refused: `cannot be loaded: ${error instanceof Error ? error.message : String(error)}` }
  } finally {
    await bot.close()
  }
}

function trialBench(kit: GameKit, options: Options, entrant: Entrant, seats: number): Bench {
  return benchOf(kit, {
    agon: 1,
    game: kit.game.id,
    version: kit.game.version,
    options,
    luck: newLuck(''),
    field: seats,
    seats: Array.from({ length: seats }, (_, id) => ({ entrant: entrant.name, wire: entrant.wire, id })),
  })
}

/** The last line of its standard error: most often the reason. */
function lastWords(stable: Stable, entrant: Entrant): string {
  const last = stable.stderr(entrant.name).trim().split('\n').at(-1)
  return last ? ` (its last words: ${last.slice(0, 200)})` : ''
}
