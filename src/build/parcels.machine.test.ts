import type { Entrant } from '../core/index.js'
import { wasBuilt } from './prepared.js'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import samurai from '../games/samurai/index.js'
import { contestOf } from '../../test/kit/contest.js'
import { type Parcel, prepareSent, sendEntrants } from './parcels.js'
import { prepareEntrants } from './prepare.js'

let folder = ''
let parcel: Extract<Parcel, { spec: unknown }>
let was: Entrant
let packed: Buffer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agon-parcels-'))
  writeFileSync(join(folder, 'bot.sh'), 'echo B\n')
  const text =
    'game = "samurai"\n[[entrants]]\nname = "Bow"\ncommand = ["sh", "bot.sh"]\n[[entrants]]\nhouse = "Hedgehog"\n'
  const loaded = await contestOf(text, join(folder, 'c.toml'))
  const [prepared] = await prepareEntrants(loaded, { workspace: join(folder, 'here') })
  const [sent] = await sendEntrants(loaded)
  if (prepared === undefined || !wasBuilt(prepared) || sent === undefined || !('spec' in sent.parcel))
    throw new Error('it is not admitted')
  const { program: _, ...rest } = prepared
  ;[parcel, was, packed] = [sent.parcel, rest, (await sent.source?.pack()) ?? Buffer.alloc(0)]
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const arrive = async (one: { parcel: Parcel; was: Entrant }, mixed = false) => {
  const options = { workspace: join(folder, 'there'), fetch: () => Promise.resolve(packed), mixed }
  return (await prepareSent([one], samurai, options))[0]
}

const madeBy = (made: Partial<Entrant>): Entrant => ({ ...was, ...made })

it('an entrant that was sent is started from its own files', async () => {
  const one = await arrive({ parcel, was })
  expect(one).toMatchObject({ program: {}, source: was.source, house: false })
  expect(
    one !== undefined && wasBuilt(one) && one.program.kind === 'process' && existsSync(join(one.program.cwd, 'bot.sh')),
  ).toBe(true)
})

it.each<readonly [string, string, () => { parcel: Parcel; was: Entrant }]>([
  [
    'the hash of another source',
    'does not have this hash',
    () => ({ parcel, was: { ...was, source: 'a'.repeat(64) } }),
  ],
  ['another build', 'build', () => ({ parcel: { ...parcel, spec: { ...parcel.spec, build: [['true']] } }, was })],
  ['another interpreter', 'and the run sh: 9.9', () => ({ parcel, was: madeBy({ toolchain: 'sh: 9.9' }) })],
  ['what another machine built', 'another program', () => ({ parcel, was: madeBy({ output: 'a'.repeat(64) }) })],
])('%s is refused', async (_, why, make) => {
  const one = await arrive(make()).catch((error: unknown) => ({ why: String(error) }))
  expect(one).toMatchObject({ why: expect.stringContaining(why) as string })
})

it('a contest may allow that machines make other programs of a source, and of no other source', async () => {
  const mixed = { toolchain: 'sh: 9.9', output: 'a'.repeat(64) }
  expect(await arrive({ parcel, was: madeBy(mixed) }, true)).toMatchObject({ program: {}, ...mixed })
  expect(await arrive({ parcel, was: madeBy({ build: '[["true"]]' }) }, true)).toHaveProperty('why')
})

it('being of the house is not believed: it is held as the stranger that it is', async () => {
  const one = await arrive({ parcel, was: { ...was, house: true } })
  expect(one).toMatchObject({ program: {}, house: false })
})
