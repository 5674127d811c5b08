import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { FrameReader, endOf, frame, packTree, readResult, requestFrame, unpackFolders, unpackTree } from './frames.js'
import { END, PROTOCOL } from './protocol.js'

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
const kinds = fc.constantFrom('T', 'S', 'R', 'G', 'X')

/** What a reader takes of a stream that comes in these pieces. */
function taken(pieces: readonly Buffer[]): { kind: string; body: string }[] {
  const frames: { kind: string; body: string }[] = []
  const reader = new FrameReader((kind, body) => frames.push({ kind, body: body.toString('hex') }))
  for (const piece of pieces) reader.read(piece)
  return frames
}

describe('frames', () => {
  it('are read alike however their stream is torn', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(kinds, bytes), { maxLength: 8 }),
        fc.array(fc.nat(2000), { maxLength: 12 }),
        (frames, cuts) => {
          const stream = Buffer.concat(frames.map(([kind, body]) => frame(kind, body)))
          const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
          const pieces = places.slice(1).map((end, i) => stream.subarray(places[i], end))
          expect(taken(pieces)).toEqual(frames.map(([kind, body]) => ({ kind, body: body.toString('hex') })))
        },
      ),
    )
  })

  it('are read as they came where their buffer is used again while one of them is taken', () => {
    const lent = Buffer.concat([
      frame('E', Buffer.from('one')),
      frame('E', Buffer.from('two')),
      frame('E', Buffer.from('three')),
    ])
    const bodies: string[] = []
    const reader = new FrameReader((_kind, body) => {
      bodies.push(body.toString())
      lent.fill(0)
    })
    // The last one is torn.
    reader.read(lent.subarray(0, lent.length - 2))
    reader.read(Buffer.from('ee'))
    expect(bodies).toEqual(['one', 'two', 'three'])
  })

  it('of a length that none has are refused', () => {
    for (const length of [0, PROTOCOL.maxFrame + 1, 0xffffffff]) {
      const head = Buffer.alloc(5)
      head.writeUInt32LE(length, 0)
      expect(() => taken([head])).toThrow(RangeError)
    }
  })

  it('that are cut off are not taken', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (body, cut) => {
        const whole = frame('R', body)
        expect(taken([whole.subarray(0, cut % whole.length)])).toEqual([])
      }),
    )
  })

  it('hold a request whose length is what it says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        fc.dictionary(fc.string(), fc.string()),
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string({ unit: 'binary-ascii' }), { nil: undefined }),
        (argv, env, input, content) => {
          const turn = { argv, env, folder: '/bot', limit: 1000, output: 10, errors: 10, wipe: true }
          const made = requestFrame('T', 7, {
            ...turn,
            input,
            file: content === undefined ? undefined : { path: '/game/g.txt', content },
          })
          expect(made.readUInt32LE(0)).toBe(made.length - 4)
          expect(made.readUInt32LE(13)).toBe(7)
          expect(made.readUInt32LE(37)).toBe(Buffer.byteLength(input ?? ''))
        },
      ),
    )
  })
})

describe('a result', () => {
  it('tells apart what was printed, what was logged and the file', () => {
    const head = Buffer.alloc(52)
    head.writeUInt32LE(1 | (2 << 8), 4)
    head.writeInt32LE(9, 8)
    head.writeBigUInt64LE(5_000n, 12)
    head.writeUInt32LE(2, 36)
    head.writeUInt32LE(3, 40)
    head.writeUInt32LE(4, 44)
    head.writeUInt32LE(0xffffffff, 48)
    const result = readResult(Buffer.concat([head, Buffer.from('A\nerrfile', 'latin1')]))
    expect(result).toMatchObject({
      end: { signal: 'SIGKILL' },
      stop: 'stdout',
      out: 'A\n',
      file: { text: 'file' },
      wallUs: 5,
    })
    expect(result.stderr.toString()).toBe('err')
    expect(result.rolledBack).toBeUndefined()
  })

  it('a number of several names has the usual one', () => {
    expect(endOf(END.signalled, 6)).toEqual({ signal: 'SIGABRT' })
    expect(endOf(END.signalled, 11)).toEqual({ signal: 'SIGSEGV' })
  })
})

it('a long frame that comes in many pieces is joined once', () => {
  const sent = frame('G', Buffer.alloc(8 * 1024 ** 2, 'x'))
  const joined = vi.spyOn(Buffer, 'concat')
  let length = 0
  const reader = new FrameReader((_kind, body) => (length += body.length))
  for (let at = 0; at < sent.length; at += 65_536) reader.read(sent.subarray(at, at + 65_536))
  const copied = joined.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
  joined.mockRestore()
  expect(length).toBe(8 * 1024 ** 2)
  expect(copied).toBeLessThanOrEqual(sent.length)
})

it('a tree comes back as it was packed', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), bytes), (files) => {
      const tree = Object.fromEntries(Object.entries(files).map(([path, body]) => [path, body.toString('base64')]))
      expect(unpackTree(packTree(tree))).toEqual(tree)
    }),
  )
})

it('the files of many folders come in their order', () => {
  const folders: Record<string, string>[] = [{ one: 'eA==' }, {}, { 'deep/two': 'eXk=', three: '' }]
  const body = folders.map((tree, i) => {
    const packed = packTree(tree)
    const head = Buffer.alloc(12)
    head.writeBigUInt64LE(2n ** 40n + BigInt(i), 0)
    head.writeUInt32LE(packed.length, 8)
    return Buffer.concat([head, packed])
  })
  expect(unpackFolders(Buffer.concat(body))).toEqual(folders.map((tree, i) => ({ tree, bytes: 2 ** 40 + i })))
})

it('a file called as what every object has comes back, too', () => {
  const tree = JSON.parse('{"__proto__":"eA==","toString":"eQ=="}') as Record<string, string>
  expect(Object.entries(unpackTree(packTree(tree)))).toEqual(Object.entries(tree))
})
