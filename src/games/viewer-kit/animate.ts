import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Beat } from './types.js'

/** When an animation runs, in parts of its step: [0, 1] is all. */
export type Span = readonly [from: number, to: number]

/** Plays keyframes once a step that takes time (Web Animations API): CSS transitions also run on new elements. */
export function useStep<E extends Element>(
  beat: Beat,
  keyframes: Keyframe[] | undefined,
  [from, to]: Span = [0, 1],
): RefObject<E | null> {
  const ref = useRef<E>(null)
  const frames = useRef(keyframes)
  frames.current = keyframes
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || !frames.current || beat.ms <= 0) return undefined
    const animation = element.animate(frames.current, {
      delay: from * beat.ms,
      duration: (to - from) * beat.ms,
      easing: 'ease-in-out',
      fill: 'backwards',
    })
    // To be cut short by the next step is no failure.
    animation.finished.catch(() => undefined)
    return () => animation.cancel()
  }, [beat.turn, beat.ms, from, to])
  return ref
}
