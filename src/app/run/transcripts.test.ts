import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import samurai from '../../games/samurai/index.js'
import { folderSource } from '../../results/index.js'
import { writeTranscripts } from './transcripts.js'

const place = new TestContest()
beforeAll(() => place.play({ transcripts: true }))

const texts = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((file) => [file.replace(/\.txt$/, ''), readFileSync(join(folder, file), 'utf8')]),
  )

it('are a file a match, named by its number and who sat there, with what each did', () => {
  const written = texts(join(place.out, 'transcripts'))
  const files = Object.keys(written)
  expect(files.map((name) => name.slice(0, 6))).toEqual(['00001_', '00002_', '00003_'])
  const of = (...names: string[]): string[] | undefined => {
    const file = files.find((one) => names.every((name) => one.includes(name)))
    return file === undefined ? undefined : written[file]?.trimEnd().split('\n').sort()
  }
  // Strike kills in one turn; a turn of nonsense counts as waiting, and six of them are a draw.
  expect(of('Strike', 'Wait')).toEqual(['Strike: O', 'Wait: W'])
  expect(of('Lost', 'Wait')).toEqual(['Lost: WWWWWW', 'Wait: WWWWWW'])
})

it('of a game without a notation of its own have a line a step, then how it ended', async () => {
  const { transcript: _, ...plain } = samurai
  const folder = place.path('plain')
  expect(await writeTranscripts(folder, folderSource(place.out), plain)).toBe(3)
  const lost = Object.entries(texts(folder)).find(([file]) => file.includes('Lost') && file.includes('Wait'))?.[1] ?? ''
  const lines = lost.trimEnd().split('\n')
  expect(lines).toHaveLength(7)
  for (const [i, line] of lines.slice(0, 6).entries()) {
    expect(line.startsWith(`${i + 1}. `)).toBe(true)
    expect(line.slice(3).split('; ').sort()).toEqual(['Lost: (illegal)', 'Wait: W'])
  }
  expect(lines[6]).toMatch(/: .*\bLost 1\b/)
})

it('replace those that lie there, and nothing else', async () => {
  const folder = join(place.out, 'transcripts')
  const before = texts(folder)
  place.write('out/transcripts/00009_Gone_Away.txt', 'of another run')
  place.write('out/transcripts/notes.txt', 'mine')
  expect(await writeTranscripts(folder, folderSource(place.out), samurai)).toBe(3)
  expect(texts(folder)).toEqual({ ...before, notes: 'mine' })
})

it('are refused where a file lies in their way, and where the rules cannot follow a record', async () => {
  const source = folderSource(place.out)
  await expect(writeTranscripts(place.contest, source, samurai)).rejects.toThrow('the folder cannot be made')
  const [first] = readFileSync(join(place.out, 'records.jsonl'), 'utf8').split('\n')
  place.write('out/records.jsonl', `${first?.replace(/"version":\d+/, '"version":99')}\n`)
  await expect(writeTranscripts(place.path('others'), source, samurai)).rejects.toThrow('has no transcript')
})
