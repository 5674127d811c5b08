import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { zipOf } from '../../test/site/archives.js'
import { type Problem, TestSite } from '../../test/site/site.js'
import type { EntryPreview } from './entries.js'

let site: TestSite
let id: string
let ada: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
  ada = (await site.contestants(id, 'Ada')).get('Ada') ?? ''
})
afterAll(() => site.remove())

async function look(
  files: Readonly<Record<string, string | Buffer>>,
  words: Readonly<Record<string, string>> = {},
  token: string | undefined = ada,
) {
  const form = new FormData()
  for (const [name, text] of Object.entries(words)) form.set(name, text)
  for (const [path, text] of Object.entries(files))
    form.append(path.endsWith('.zip') ? 'archive' : 'files', new Blob([text as never]), path)
  return site.ask<EntryPreview & Problem>('POST', `/contests/${id}/entries/preview`, { token, form })
}

it('shows what an archive holds, what the bot runs without, and what bot.toml says of it', async () => {
  const own = 'name = "Heron"\ncommand = ["sh", "my bot.sh"]\nwire = "jsonl"\ncountry = "CH"\n'
  const packed = ['bot.toml', 'my bot.sh', 'README.md', 'LICENSE', 'lib/README.md', '.DS_Store']
  const zip = zipOf(packed.map((name) => ({ name: `Heron/${name}`, data: name === 'bot.toml' ? own : 'x' })))
  const { body } = await look({ 'heron.zip': zip })
  expect(body.words).toEqual({
    name: 'Heron',
    command: "sh 'my bot.sh'",
    wire: 'jsonl',
    country: 'CH',
    language: undefined,
  })
  const listed = Object.fromEntries(body.files.map(({ path, out }) => [path, out === true]))
  expect(listed).toEqual({
    'bot.toml': false,
    'my bot.sh': false,
    'README.md': true,
    LICENSE: true,
    'lib/README.md': false,
    'Heron/.DS_Store': true,
  })
})

it('shows how a bot is started that says nothing of it, and what the form says before its files', async () => {
  const files = { 'a.cpp': '#include "agon.hpp"\nint main() {}', 'agon.hpp': '' }
  expect((await look(files)).body.words).toEqual({
    build: ['c++ -std=c++17 -O2 -pthread -o a a.cpp'],
    command: './a',
  })
  expect((await look({ ...files, 'run.sh': '' }, { command: 'sh run.sh', name: 'Heron' })).body).toMatchObject({
    words: { command: 'sh run.sh', name: 'Heron' },
  })
})

it('names the field of a mistake', async () => {
  const problem = async (files: Record<string, string>, words: Record<string, string> = {}) => {
    const { body } = await look(files, words)
    return [body.problem?.field ?? body.field, body.problem?.detail ?? body.detail]
  }
  expect(await problem({ 'a.py': '', 'b.py': '' })).toEqual([
    'command',
    'each of a.py, b.py could start the bot: give the command',
  ])
  expect(await problem({ 'a.py': '' }, { wire: 'morse' })).toEqual(['wire', expect.stringContaining('unknown wire')])
  expect(await problem({ 'bot.toml': 'name = "X"\nwire = "morse"\n', 'a.py': '' })).toEqual([
    'files',
    expect.stringContaining('bot.toml:2: unknown wire'),
  ])
  expect(await problem({ 'bot.toml': 'name =\n' })).toEqual(['files', expect.stringContaining('bot.toml:1')])
  expect(await problem({ 'a.py': '' }, { country: 'Chile' })).toEqual(['country', expect.stringContaining('ISO 3166')])
  expect(await problem({ 'a.zip': 'no zip' })).toEqual(['files', expect.stringContaining('the archive cannot be read')])
})

it('keeps nothing, and is for who may enter bots', async () => {
  const uploads = join(site.workspace, 'uploads')
  expect(existsSync(uploads) ? readdirSync(uploads) : []).toEqual([])
  expect((await look({ 'a.py': '' }, {}, site.host)).status).toBe(200)
  const other = (await site.contestants(await site.contest(1), 'Bob')).get('Bob')
  expect((await look({ 'a.py': '' }, {}, other)).status).toBe(403)
})
