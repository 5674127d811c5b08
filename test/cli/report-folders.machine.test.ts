import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAIN, Place } from './agon.js'

const place = new Place({
  'bow.js': 'export default () => "B"\n',
  'strike.js': 'export default (view) => (view.honour > 0 ? "O" : "B")\n',
  'c.toml': `game = "samurai"
seed = "9"
[format]
kind = "round-robin"
repetitions = 1
[[entrants]]
name = "Bow"
module = "bow.js"
[[entrants]]
name = "Strike"
module = "strike.js"
`,
})
let copies = 0
/** A copy of the folder of a run. */
function copy(): string {
  const name = `copy${++copies}`
  cpSync(place.path('whole'), place.path(name), { recursive: true })
  return name
}

describe('a results folder of a stranger', () => {
  beforeAll(async () => {
    const { status, stderr } = await place.agon(['run', 'c.toml', '--trust', '--out', 'whole'])
    if (status !== 0) throw new Error(stderr)
  })

  it.each(['contest.json', 'results.json', 'records.jsonl'])(
    'with a pipe, a link or a device as %s is refused',
    async (part) => {
      for (const kind of ['pipe', 'link', 'device']) {
        const folder = copy()
        const file = place.path(`${folder}/${part}`)
        if (kind === 'link') {
          renameSync(file, place.path(`${folder}-outside`))
          symlinkSync(place.path(`${folder}-outside`), file)
        } else {
          rmSync(file)
          if (kind === 'pipe') execFileSync('mkfifo', [file])
          else symlinkSync('/dev/zero', file)
        }
        const told = await place.agon(['report', folder])
        expect(told.stderr, kind).toMatch(new RegExp(`${part}: this is no plain file`))
        expect(told.status, kind).toBe(2)
        if (part === 'records.jsonl') expect(await place.agon(['verify', folder]), kind).toMatchObject({ status: 2 })
      }
    },
  )

  it('gets its page in place of a link or a pipe, which is not written to', async () => {
    for (const kind of ['link', 'pipe']) {
      const folder = copy()
      const page = place.path(`${folder}/report.html`)
      const victim = place.path(`${folder}-victim`)
      writeFileSync(victim, 'mine')
      rmSync(page)
      if (kind === 'link') symlinkSync(victim, page)
      else execFileSync('mkfifo', [page])
      expect(await place.agon(['report', folder]), kind).toMatchObject({ status: 0 })
      expect(readFileSync(victim, 'utf8')).toBe('mine')
      expect(lstatSync(page).isFile()).toBe(true)
      expect(readFileSync(page, 'utf8')).toContain('<!doctype html>')
    }
  })

  it.each(['--out', '--markdown', '--csv'])('has nothing written through a link or a pipe by %s', async (flag) => {
    for (const kind of ['link', 'pipe']) {
      const folder = copy()
      const [file, victim] = [`${folder}/new/file`, place.path(`${folder}-victim`)]
      place.write(`${folder}/new/other`, '')
      writeFileSync(victim, 'mine')
      if (kind === 'link') symlinkSync(victim, place.path(file))
      else execFileSync('mkfifo', [place.path(file)])
      expect(await place.agon(['report', folder, flag, file]), kind).toMatchObject({ status: 0, stdout: `${file}\n` })
      expect(readFileSync(victim, 'utf8').slice(0, 9)).toBe('mine')
      expect(lstatSync(place.path(file)).isFile()).toBe(true)
      expect(readFileSync(place.path(file), 'utf8').includes('Strike')).toBe(true)
    }
  })

  it('is written to standard output under the name that the system has for it', () => {
    const shell = '"$0" "$1" report "$2" --csv /dev/stdout | cat'
    const words = ['-c', shell, process.execPath, MAIN, place.path(copy())]
    expect(execFileSync('sh', words, { encoding: 'utf8' })).toMatch(/Strike[^]*\/dev\/stdout\n$/)
    expect(lstatSync('/dev/stdout').isSymbolicLink()).toBe(true)
  })

  it('with JSON of very many levels is refused in a line', async () => {
    const folder = copy()
    const deep = '['.repeat(60_000) + ']'.repeat(60_000)
    writeFileSync(place.path(`${folder}/records.jsonl`), `{"agon":${deep}}\n`)
    const told = await place.agon(['verify', folder])
    expect(told.status).toBe(2)
    expect(told.stderr).not.toMatch(/\n +at /)
    writeFileSync(place.path(`${folder}/contest.json`), `{"game":${deep}}\n`)
    expect(await place.agon(['report', folder])).toMatchObject({ status: 2 })
  })
})
