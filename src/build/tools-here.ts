import { Toolchains } from './toolchain.js'

/** Programs that entrants are often built and run with. */
const COMMON = [
  'bash',
  'cc',
  'g++',
  'go',
  'java',
  'javac',
  'julia',
  'lua',
  'node',
  'perl',
  'php',
  'python3',
  'ruby',
  'rustc',
  'sh',
]

/**
 * The programs of these texts, which `Toolchains` has made, with their versions, and this Node. No program is started for that: a Java and a Go
 * take longer than a short run.
 */
export const toolsNamed = (texts: readonly string[]): Readonly<Record<string, string>> => ({
  node: process.version,
  ...Object.fromEntries(
    texts
      .flatMap((text) => text.split('; '))
      .flatMap((one) => {
        const [name = '', ...version] = one.split(': ')
        return version.length === 0 ? [] : [[name, version.join(': ')]]
      }),
  ),
})

/** Which of the common programs this machine has, with their versions. What they print is remembered in the workspace. */
export async function toolsHere(workspace: string): Promise<Readonly<Record<string, string>>> {
  const tools = new Toolchains(workspace)
  const found = await Promise.all(COMMON.map(async (word) => [word, await tools.of([word])] as const))
  // Of one that is not here there is but the name.
  return Object.fromEntries(
    found.flatMap(([word, text]) => (text === word ? [] : [[word, text.replace(/^[^:]*: /, '')]])),
  )
}
