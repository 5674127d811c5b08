import { expect, it } from 'vitest'
import { Link, LinkError } from './link.js'

/** Two ends, and what lies between them; `wire.cut` throws away what is on its way. */
function ends() {
  const [here, there] = [new Link(), new Link()]
  const wire: { readonly to: Link; readonly text: string }[] = []
  const got: (string | undefined)[] = []
  return {
    here,
    there,
    got,
    connect() {
      here.attach((text) => wire.push({ to: there, text }), there.received)
      there.attach((text) => wire.push({ to: here, text }), here.received)
    },
    cut() {
      here.detach()
      there.detach()
      wire.length = 0
    },
    async carry() {
      for (;;) {
        for (let next = wire.shift(); next !== undefined; next = wire.shift()) {
          const came = next.to.receive(next.text)
          if (came !== undefined && next.to === there) got.push(came.sent.line)
        }
        await new Promise(setImmediate)
        if (wire.length === 0) return
      }
    },
  }
}
const line = (text: string) => ({ seat: 's', line: text })

it('what was on its way when a connection broke comes once, and in order', async () => {
  const both = ends()
  both.connect()
  both.here.send(line('one'))
  await both.carry()
  both.here.send(line('two'))
  both.cut()
  both.here.send(line('three'))
  both.connect()
  both.connect()
  await both.carry()
  expect(both.got).toEqual(['one', 'two', 'three'])
})

it('knows what the other end has received, once that has said so', async () => {
  const both = ends()
  both.connect()
  const n = both.here.send(line('one'))
  expect(both.here.hasReached(n)).toBe(false)
  await both.carry()
  expect(both.here.hasReached(n)).toBe(true)
})

it('a line that is sent again still says what had come before it', () => {
  const [site, machine] = [new Link(), new Link()]
  machine.send(line('printed before the question'))
  site.attach((text) => void machine.receive(text), 0)
  site.send(line('a question'))
  machine.send(line('an answer'))
  const seen: unknown[] = []
  machine.attach((text) => seen.push(site.receive(text)?.seen), 0)
  expect(seen).toEqual([0, 1])
})

it.each([
  ['{"n":2,"ack":0,"seat":"s","line":"x"}', 'something is lacking'],
  ['{"n":1,"ack":1,"seat":"s","line":"x"}', 'a number comes back that was not sent'],
  ['{"n":1,"ack":0,"line":"x"}', 'no seat'],
  ['{"n":1,"ack":0,"seat":"s","line":7}', 'no frame: line'],
  ['{"n":1.5,"ack":0,"seat":"s"}', 'no frame: n'],
  ['{"n":-1,"ack":0,"seat":"s"}', 'no frame: n'],
  ['{"seat":"s"}', 'no frame: ack'],
  [`{"n":1,"ack":0,"seat":"${'s'.repeat(41)}"}`, 'no frame: seat'],
  ['[]', 'no object'],
  ['nonsense', 'no JSON'],
])('%s is refused: %s', (text, why) => {
  const link = new Link()
  expect(() => link.receive(text)).toThrow(LinkError)
  expect(() => link.receive(text)).toThrow(why)
})

it('holds no more than a bounded part of what the other end does not take', () => {
  const link = new Link()
  const long = 'x'.repeat(1024 ** 2)
  expect(() => {
    for (let i = 0; i < 17; i++) link.send(line(long))
  }).toThrow('does not read')
})
