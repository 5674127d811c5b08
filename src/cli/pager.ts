import { type Key, emitKeypressEvents } from 'node:readline'
import { lookUp } from '../core/index.js'

/** What can be stepped through. */
interface Pages {
  readonly last: number
  page(n: number): string
}

const ALTERNATE = { on: '\u001b[?1049h\u001b[?25l', off: '\u001b[?25h\u001b[?1049l' }
const CLEAR = '\u001b[H\u001b[2J'

/** Shows pages on a screen of their own, moved by keys, until q. The terminal's contents are restored afterwards. */
export function stepThrough(pages: Pages, first: number): Promise<void> {
  const { stdin, stdout } = process
  let at = first
  const show = () => {
    const lines = pages.page(at).split('\n')
    const room = Math.max(1, stdout.rows - 2)
    const shown = lines.length > room ? [...lines.slice(0, room - 1), '…'] : lines
    stdout.write(`${CLEAR}${shown.join('\r\n')}\r\n\r\n← → step   ↑ ↓ ten   home end   q quit`)
  }
  const moves: Readonly<Record<string, (() => number) | undefined>> = {
    right: () => at + 1,
    space: () => at + 1,
    return: () => at + 1,
    left: () => at - 1,
    backspace: () => at - 1,
    down: () => at + 10,
    pagedown: () => at + 10,
    up: () => at - 10,
    pageup: () => at - 10,
    home: () => 0,
    end: () => pages.last,
  }
  const restore = () => void stdout.write(ALTERNATE.off)
  return new Promise((done) => {
    const leave = () => {
      stdin.setRawMode(false).off('keypress', pressed).pause()
      stdout.off('resize', show)
      process.off('exit', restore)
      restore()
      done()
    }
    const pressed = (_text: string | undefined, { name = '', ctrl }: Key) => {
      if (name === 'q' || name === 'escape' || (ctrl && (name === 'c' || name === 'd'))) return leave()
      const to = lookUp(moves, name)?.()
      if (to === undefined) return
      at = Math.max(0, Math.min(pages.last, to))
      show()
    }
    process.on('exit', restore)
    emitKeypressEvents(stdin)
    stdin.setRawMode(true).on('keypress', pressed).once('end', leave).resume()
    stdout.on('resize', show).write(ALTERNATE.on)
    show()
  })
}
