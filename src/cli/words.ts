import { type GameKit, type Options, UserError, didYouMean, wiresOf } from '../core/index.js'
import { optionsFrom } from '../contest/index.js'

/** The game's options with those of `--option name=value`. Throws UserError for what the game would not take. */
export function gameOptions(kit: GameKit, given: readonly string[], seats: number): Options {
  const options = optionsFrom(kit, given)
  const why = kit.game.refuse?.(options, seats)
  if (why !== undefined) throw new UserError(`${kit.game.id} cannot be played so: ${why}`)
  return options
}

/** The limits of `--limit name=number`. */
export function limitsOf(kit: GameKit, given: readonly string[]): Record<string, number> {
  const wires = Object.values(wiresOf(kit, kit.game.options))
  const known = [...new Set(['turn', 'output', ...wires.flatMap((wire) => Object.keys(wire.limits ?? {}))])]
  return Object.fromEntries(
    given.map((text) => {
      const { name, value } = pair('--limit', text)
      if (!known.includes(name))
        throw new UserError(
          `--limit ${text}: there is no limit "${name}"${didYouMean(name, known)}; there are ${known.join(', ')}`,
        )
      const number = Number(value)
      if (!(number > 0)) throw new UserError(`--limit ${text}: "${value}" is not a number above 0`)
      return [name, number]
    }),
  )
}

function pair(option: string, text: string): { name: string; value: string } {
  const at = text.indexOf('=')
  if (at < 1) throw new UserError(`${option} ${text}: give it as name=value`)
  return { name: text.slice(0, at), value: text.slice(at + 1) }
}
