import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { type VerifyEvent, verifyRecords } from './judged-records.js'

const place = new TestContest()
let lines: string[] = []
beforeAll(async () => {
  await place.play()
  lines = readFileSync(join(place.out, 'records.jsonl'), 'utf8').trimEnd().split('\n')
})

async function verify(...paths: string[]) {
  const news: VerifyEvent[] = []
  return { found: await verifyRecords(paths, {}, (one) => news.push(one)), news }
}

it('finds that an archive agrees, with one digest whatever the order of its records', async () => {
  const { found, news } = await verify(place.out)
  expect(news).toEqual([])
  expect(found).toMatchObject({ agree: 3, differ: 0, unreadable: 0, contradicted: 0 })
  mkdirSync(place.path('turned'))
  const turned = join(place.path('turned'), 'records.jsonl.gz')
  writeFileSync(turned, gzipSync(`${[...lines].reverse().join('\n')}\n`))
  expect((await verify(turned)).found).toEqual(found)
})

it('tells each record that does not agree or cannot be read, and where', async () => {
  mkdirSync(place.path('bent'))
  const bent = join(place.path('bent'), 'records.jsonl')
  const decisive = lines.find((line) => line.includes('"place":[1,2]') || line.includes('"place":[2,1]')) ?? ''
  const other = decisive.replace(/"place":\[(\d),(\d)\]/, '"place":[$2,$1]')
  const stranger = (lines[0] ?? '').replace('"game":"samurai"', '"game":"none"')
  writeFileSync(bent, `${other}\n\n{"agon":\n${lines.find((line) => line !== decisive) ?? ''}\n${stranger}\n`)
  const { found, news } = await verify(bent)
  expect(found).toMatchObject({ agree: 1, differ: 1, unreadable: 2, contradicted: 0 })
  expect(news.map(({ type, where }) => [type, where])).toEqual([
    ['differs', `${bent}:1`],
    ['unreadable', `${bent}:3`],
    ['unreadable', `${bent}:5`],
  ])
  expect(news[0]?.why).toMatch(/: recorded .*, judged /)
})

it('tells an archive that lacks records', async () => {
  mkdirSync(place.path('short'))
  const short = join(place.path('short'), 'records.jsonl')
  writeFileSync(short, `${lines[0]}\n`)
  for (const name of ['contest.json', 'results.json'])
    writeFileSync(join(place.path('short'), name), readFileSync(join(place.out, name)))
  const { found, news } = await verify(place.path('short'))
  expect(found).toMatchObject({ agree: 1, contradicted: 1 })
  expect(news).toEqual([
    { type: 'differs', where: short, why: 'results.json counts 3 matches, and there are 1 records' },
  ])
})

it('refuses what holds no record, and ends where it is not wanted any more', async () => {
  await expect(verify(place.path('none'))).rejects.toThrow('no such file')
  await expect(verify(place.write('empty.jsonl', '\n'))).rejects.toThrow('no record in it')
  const signal = AbortSignal.abort(new Error('not wanted'))
  await expect(verifyRecords([place.out], { signal })).rejects.toThrow('not wanted')
})
