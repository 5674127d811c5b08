// Writes docs/library.md from the compiled declarations and their comments: all that `import … from 'agon'` and 'agon/lab' give.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'

const dist = fileURLToPath(new URL('../dist', import.meta.url))
const path = fileURLToPath(new URL('../docs/library.md', import.meta.url))

const INTRODUCTION = `# The library

<!-- npm run library writes this page from the comments of the sources, once they are compiled. -->

\`import … from 'agon'\` gives games, the referee, tournaments and statistics, and \`runContest\`, which builds, checks and plays a contest and writes its results, as \`agon run\` does;
\`agon/lab\` the questions beyond the table. The types need no
\`@types/node\`. README has an example.`

/** What the rooms are about. */
const TITLES: Readonly<Record<string, string>> = {
  app: 'Running a contest',
  games: 'The games',
  match: 'Matches',
  bots: 'Bots',
  kits: 'Testing a game',
  tournament: 'Tournaments',
  text: 'Texts of tables',
  stats: 'Ratings and how sure they are',
  lab: 'Questions beyond the table: agon/lab',
  core: 'The words: games, outcomes, luck, records, contests, bots',
}

/** An exported declaration: its comment, and its text. */
interface Declared {
  readonly name: string
  readonly about: string
  readonly code: string
  readonly room: string
}

const KEYWORD = /^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type) (\w+)/

/** The declarations of a file by their names. Each begins at the first column, with its comment before it. */
function declaredIn(file: string): Map<string, Declared> {
  const parts = readFileSync(file, 'utf8').split(
    /\n(?=\/\*\*|export |import |declare |interface |type |const |function )/,
  )
  const [room = ''] = relative(dist, file).split('/')
  const found = new Map<string, Declared>()
  for (const [i, part] of parts.entries()) {
    const [, name] = KEYWORD.exec(part) ?? []
    if (name === undefined) continue
    const before = parts[i - 1] ?? ''
    const about = before.startsWith('/**') && before.trimEnd().endsWith('*/') ? before : ''
    const there = found.get(name)
    // The further signatures of a function.
    const code = there === undefined ? part.trim() : `${there.code}\n${part.trim()}`
    found.set(name, { name, about: there?.about || commentText(about), code, room })
  }
  return found
}

const commentText = (comment: string): string =>
  comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .replaceAll(/^ *\* ?/gm, '')
    .trim()

/** All that a file exports, by the names under which it does. */
function exportsOf(file: string): Map<string, Declared> {
  const text = readFileSync(file, 'utf8')
  const found = declaredIn(file)
  const at = (target: string): string => join(dirname(file), target.replace(/\.js$/, '.d.ts'))
  for (const [, target = ''] of text.matchAll(/^export \* from '([^']+)'/gm))
    for (const [name, one] of exportsOf(at(target))) found.set(name, one)
  for (const [, names = '', target = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
    const there = exportsOf(at(target))
    for (const each of names
      .split(',')
      .map((one) => one.trim().replace(/^type /, ''))
      .filter((one) => one !== '')) {
      const [own = '', shown = own] = each.split(' as ')
      const one = there.get(own)
      if (one === undefined) throw new Error(`${own} is not found in ${target}`)
      found.set(shown, { ...one, name: shown })
    }
  }
  return found
}

/** docs/library.md as it should be. */
export async function libraryText(): Promise<string> {
  const all = ['index.d.ts', 'lab/index.d.ts'].flatMap((file) => [...exportsOf(join(dist, file)).values()])
  const sections = Object.entries(TITLES).map(([room, title]) => {
    const own = all
      .filter((one) => one.room === room)
      .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    return [
      `## ${title}`,
      ...own.map(({ name, about, code }) => `### ${name}\n\n${about}\n\n\`\`\`ts\n${code}\n\`\`\``),
    ]
  })
  const lost = all.filter(({ room }) => TITLES[room] === undefined)
  if (lost.length > 0) throw new Error(`no section has ${lost.map(({ name }) => name).join(', ')}`)
  return format([INTRODUCTION, ...sections.flat()].join('\n\n'), { ...(await resolveConfig(path)), filepath: path })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path, await libraryText())
