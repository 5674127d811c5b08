import { fromLatin1 } from '../../core/index.js'
import type { BotOutput, Me, Wire } from '../../core/index.js'
import { trim } from './controller2015.js'
import type { Action, Contender, View } from './rules.js'

/** The contest's own protocol: a process a turn, all figures as arguments, a line out (rules 5.1–5.8). */
export const turn: Wire<View, Action> = {
  transport: 'turn',
  summary: 'a process a turn: own id and "id,life,power,lastAction" of every bot as arguments; prints an id or D',
  memory: 'tournament',
  limits: { turn: 1000 },
  state: { folder: 'state', bytes: 1024 ** 2, files: 1 },
  ready: {
    at: 'admission',
    input: { argv: [] },
    within: 'turn',
    expects: 'print ok when called without arguments',
    ok: (output) => !output.trouble && trim(firstLine(output) ?? '') === 'ok',
  },

  ask: (view, me) => ({
    argv: [
      String(me.ids[view.seat]),
      ...view.bots.map((bot) => [me.ids[bot.seat], bot.life, bot.power, lastAction(bot, me)].join(',')),
    ],
  }),

  read(output, _view, me) {
    const line = firstLine(output)
    if (line === undefined) return { fault: 'silent', why: 'printed nothing' }
    const text = trim(line)
    if (text === 'D') return 'D'
    if (text === '') return { fault: 'silent', why: 'an empty line', said: line }
    const id = Number(text)
    if (!/^[+-]?\d+$/.test(text) || id !== (id | 0)) {
      return { fault: 'unparsable', why: 'neither D nor the id of a bot', said: line }
    }
    const seat = me.ids.indexOf(id)
    return seat < 0 ? stranger(id) : String(seat)
  },
}

/** An attack on nobody's id: never a legal action, nor a seat's number. */
const stranger = (id: number): Action => `#${id}`

/** The first printed line, without its end; undefined: none. */
function firstLine({ out = '' }: BotOutput): string | undefined {
  return out === '' ? undefined : out.split(/\r\n|[\n\r]/, 1)[0]
}

/** Seats become ids; an argument cannot hold the byte 0. */
function lastAction({ last, said }: Contender, me: Me): string {
  if (said !== undefined) return fromLatin1(said).replaceAll('\0', '')
  return last === 'D' || last === 'X' ? last : String(me.ids[Number(last)])
}
