import { setFlagsFromString } from 'node:v8'

/** Bytes of its code that a function runs through between two looks at whether it is worth compiling: V8's own measure, and that of a run. */
const USUAL = 67_584
const PLAYING = 4 * USUAL

/** Runs of this process that are being played. */
let runs = 0

/**
 * Has V8 optimise a function only after it has run for four times as long as usual, until what is returned is called; a second call does
 * nothing. In a run that asks programs, what is called in every turn is soon optimised all the same; what is called once a match would follow bit by
 * bit, on assumptions that then fail, and to compile it takes more of the processors than it saves. It is so for the whole process, its
 * threads too.
 */
export function compileOnlyHot(): () => void {
  let isPlaying = true
  if (++runs === 1) setFlagsFromString(`--interrupt-budget=${PLAYING}`)
  return () => {
    if (isPlaying && --runs === 0) setFlagsFromString(`--interrupt-budget=${USUAL}`)
    isPlaying = false
  }
}
