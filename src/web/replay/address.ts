import { useEffect, useRef } from 'react'
import type { PageState } from '../hash.js'
import { useShared } from '../shared.js'

/**
 * Keeps the address and the position of a replay in step. `turn` is what is shown, `as` the seat whose knowledge is shown
 * (undefined: everything), and `jump` shows another turn. Returns what changes that seat.
 */
export function useAddress(
  turn: number,
  as: number | undefined,
  jump: (turn: number) => void,
): (seat: number | undefined) => void {
  const { place, go } = useShared()
  const { match = '' } = place
  // The address follows the position, but not every frame of a fast replay: browsers take that ill.
  const written = useRef(place.turn)
  useEffect(() => {
    if (written.current === turn || (written.current === undefined && turn === 0)) return undefined
    const timer = setTimeout(() => {
      written.current = turn
      go(placeOf(match, turn, as), true)
    }, 250)
    return () => clearTimeout(timer)
  }, [match, turn, as, go])
  // And the position follows the address, where it was another who changed it.
  useEffect(() => {
    if (place.turn === written.current) return
    written.current = place.turn
    jump(place.turn ?? 0)
  }, [place.turn, jump])
  return (seat) => go(placeOf(match, turn, seat), true)
}

const placeOf = (match: string, turn: number, as: number | undefined): PageState => ({
  match,
  turn,
  as,
})
