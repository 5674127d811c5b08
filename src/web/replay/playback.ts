import { useCallback, useEffect, useRef, useState } from 'react'
import type { Beat } from '../../games/viewer-kit/index.js'
import { useShared } from '../shared.js'
import { stored } from '../load.js'

export const SPEEDS = [0.5, 1, 2, 4, 10] as const
/** Milliseconds of a step at speed 1. */
const STEP = 900
const REMEMBERED = 'agon.speed'

/** A replay's controls: the position that is shown, and what moves it. */
export type Playback = ReturnType<typeof usePlayback>

/** A player of positions 0 to `last`, at `start` first; `plays`: at once. It pauses at the end and where the page is hidden. */
export function usePlayback(last: number, start: number, plays = false) {
  const within = useCallback((turn: number) => Math.min(last, Math.max(0, turn)), [last])
  const [beat, setBeat] = useState<Beat>({ turn: within(start), ms: 0 })
  const [playing, setPlaying] = useState(plays)
  const [speed, setSpeed] = useState(remembered)
  const step = (STEP * 0.8) / speed
  const show = useCallback(
    (turn: number) =>
      setBeat((now) => {
        const next = within(turn)
        return next === now.turn ? now : { turn: next, ms: next === now.turn + 1 && !still() ? step : 0 }
      }),
    [within, step],
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

  return {
    beat,
    playing,
    speed,
    /** Shows a position; the next one is shown with its step's animation. Playing pauses. */
    to: useCallback(
      (turn: number) => {
        setPlaying(false)
        show(turn)
      },
      [show],
    ),
    toggle: () => {
      if (!playing && beat.turn >= last) setBeat({ turn: 0, ms: 0 })
      setPlaying(!playing)
    },
    /** Shows a position at once, playing or not. */
    jump: useCallback((turn: number) => setBeat({ turn: within(turn), ms: 0 }), [within]),
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

/** Whether the reader has asked for no motion. */
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Keeps the address and the position of a replay in step. `as`: the seat whose knowledge is shown (undefined: everything). */
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

/** While a match is played, a spectator at its last step is taken along to each new one. */
export function useFollowing(live: boolean, last: number, { beat, jump, to }: Playback): void {
  const before = useRef(last)
  useEffect(() => {
    const from = before.current
    before.current = last
    if (!live || last <= from || beat.turn !== from) return
    if (last === from + 1) to(last)
    else jump(last)
  }, [live, last, beat.turn, to, jump])
}
