import { useCallback, useEffect, useState } from 'react'
import type { Beat } from '../../games/viewer-kit/index.js'

export const SPEEDS = [0.5, 1, 2, 4, 10] as const
/** Milliseconds of a step at speed 1. */
const STEP = 900
const REMEMBERED = 'agon.speed'

/** A replay's controls: the position that is shown, and what moves it. */
export interface Playback {
  readonly beat: Beat
  readonly playing: boolean
  readonly speed: number
  /** Shows a position; the next one is shown with its step's animation. Playing pauses. */
  readonly to: (turn: number) => void
  readonly toggle: () => void
  /** Shows a position at once, playing or not. */
  readonly jump: (turn: number) => void
  readonly setSpeed: (speed: number) => void
}

/** A player of positions 0 to `last`, at `start` first; `plays`: at once. It pauses at the end and where the page is hidden. */
export function usePlayback(last: number, start: number, plays = false): Playback {
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

  const jump = useCallback((turn: number) => setBeat({ turn: within(turn), ms: 0 }), [within])

  return {
    beat,
    playing,
    speed,
    to(turn) {
      setPlaying(false)
      show(turn)
    },
    toggle() {
      if (!playing && beat.turn >= last) setBeat({ turn: 0, ms: 0 })
      setPlaying(!playing)
    },
    jump,
    setSpeed(next) {
      setSpeed(next)
      try {
        localStorage.setItem(REMEMBERED, String(next))
      } catch {
        // A page from disk may have no storage: the speed then lasts as long as the page.
      }
    },
  }
}

function remembered(): number {
  try {
    const kept = Number(localStorage.getItem(REMEMBERED))
    return SPEEDS.find((speed) => speed === kept) ?? 1
  } catch {
    return 1
  }
}

/** Whether the reader has asked for no motion. */
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
