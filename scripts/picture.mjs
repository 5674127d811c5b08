// Draws docs/images/gunduel.svg: what `agon run gunduel --seed 7` prints, as a terminal would show it. npm run picture
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const room = mkdtempSync(join(tmpdir(), 'agon-picture-'))
const command = ['run', 'gunduel', '--seed', '7', '--out', join(room, 'out')]
const env = { ...process.env, AGON_WORKSPACE: join(room, 'workspace') }
const output = execFileSync(process.execPath, [join(root, 'dist/bundle/main.js'), ...command], {
  encoding: 'utf8',
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
rmSync(room, { recursive: true })

// The archive's folder says nothing to a reader.
const lines = [
  '$ npx agon run gunduel --seed 7',
  '',
  ...output
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('Archive:')),
]
while (lines.at(-1) === '') lines.pop()
const [wide, high, left, top] = [8.43, 19, 24, 58]
const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * wide + 2 * left)
const height = lines.length * high + top + 16
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const rows = lines.map((line, i) => {
  const colour = line.startsWith('$')
    ? '#56b4e9'
    : /^ *#|^ *-+ /.test(line)
      ? '#9aa5b1'
      : /^ *1 /.test(line)
        ? '#f0e442'
        : '#e8edf2'
  return `<text x="${left}" y="${top + i * high}" fill="${colour}" xml:space="preserve">${escape(line)}</text>`
})
const dots = ['#d55e00', '#e69f00', '#009e73'].map(
  (fill, i) => `<circle cx="${24 + 20 * i}" cy="20" r="6" fill="${fill}"/>`,
)
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<title>What agon run gunduel prints: points by round and points by opponent</title>
<rect width="100%" height="100%" rx="10" fill="#16202b"/>
${dots.join('\n')}
${rows.join('\n')}
</svg>
`
mkdirSync(join(root, 'docs/images'), { recursive: true })
writeFileSync(join(root, 'docs/images/gunduel.svg'), svg)
