import { useCallback, useEffect, useRef, useState } from 'react'
import type { Beat } from '../../games/viewer-kit/index.js'
import { stored } from '../load.js'
import { useShared } from '../shared.js'

export const SPEEDS = [0.5, 1, 2, 4, 10] as const
/** Milliseconds of a step at speed 1. */
const STEP = 900
const REMEMBERED = 'agon.speed'

export type Playback = ReturnType<typeof usePlayback>

/** A player of positions 0 to `last`, from the address's. It pauses at the end and where the page is hidden. */
export function usePlayback(last: number, live: boolean) {
  const { place } = useShared()
  const within = useCallback((turn: number) => Math.min(last, Math.max(0, turn)), [last])
  const [beat, setBeat] = useState<Beat>({ turn: within(place.turn ?? 0), ms: 0 })
  const [playing, setPlaying] = useState(place.play ?? false)
  const [speed, setSpeed] = useState(remembered)
  const show = useCallback(
    (to: number) =>
      setBeat((now) => {
        const turn = within(to)
        if (turn === now.turn) return now
        return { turn, ms: turn === now.turn + 1 && !isStill() ? (STEP * 0.8) / speed : 0 }
      }),
    [within, speed],
  )
  const jump = useCallback((turn: number) => setBeat({ turn: within(turn), ms: 0 }), [within])
  const to = useCallback(
    (turn: number) => {
      setPlaying(false)
      show(turn)
    },
    [show],
  )

  useEffect(() => {
    if (!playing) return undefined
    if (beat.turn >= last) {
      setPlaying(false)
      return undefined
    }
    const timer = setTimeout(() => show(beat.turn + 1), STEP / speed)
    return () => clearTimeout(timer)
  }, [playing, beat.turn, last, speed, show])

  useEffect(() => {
    const hide = () => document.visibilityState === 'hidden' && setPlaying(false)
    document.addEventListener('visibilitychange', hide)
    return () => document.removeEventListener('visibilitychange', hide)
  }, [])

  // While a match is played, a spectator at its last step is taken along to each new one.
  const before = useRef(last)
  useEffect(() => {
    const from = before.current
    before.current = last
    if (live && last > from && beat.turn === from) to(last)
  }, [live, last, beat.turn, to])

  return {
    beat,
    last,
    playing,
    speed,
    /** Shows a position; the next one is shown with its step's animation. Playing pauses. */
    to,
    toggle: () => {
      if (!playing && beat.turn >= last) jump(0)
      setPlaying(!playing)
    },
    /** Shows a position at once, playing or not. */
    jump,
    setSpeed: (next: number) => {
      setSpeed(next)
      stored((storage) => storage.setItem(REMEMBERED, String(next)), undefined)
    },
  }
}

function remembered(): number {
  const kept = stored((storage) => Number(storage.getItem(REMEMBERED)), 1)
  return SPEEDS.find((speed) => speed === kept) ?? 1
}

const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Keeps a replay's address and position in step. `as`: the seat whose knowledge is shown (undefined: all). */
export function useAddress({ beat: { turn }, jump }: Playback, as: number | undefined): void {
  const { place, go } = useShared()
  const { match } = place
  // The address follows the position, but not every frame of a fast replay: browsers take that ill.
  const written = useRef(place.turn)
  useEffect(() => {
    if (written.current === turn || (written.current === undefined && turn === 0)) return undefined
    const timer = setTimeout(() => {
      written.current = turn
      go({ match, turn, as }, true)
    }, 250)
    return () => clearTimeout(timer)
  }, [match, turn, as, go])
  // And the position follows the address, where it was another who changed it.
  useEffect(() => {
    if (place.turn === written.current) return
    written.current = place.turn
    jump(place.turn ?? 0)
  }, [place.turn, jump])
}
