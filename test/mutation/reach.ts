// Finds the parts of the mutated files that a test executes, since a change in any other part cannot fail it. A part is
// a block in braces, or an expression that is a whole function.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNode, listNodes, type Node } from './mutants.ts'
import type { Player } from './play.ts'

declare global {
  /** The parts that have been run, where a test run asks for them. */
  var reachedParts: Set<string> | undefined
}

/** Outer ones first. */
const listParts = (file: string, text: string): Node[] =>
  listNodes(file, text).flatMap((node) => {
    if (node.type === 'BlockStatement') return [node]
    return node.type === 'ArrowFunctionExpression' && node['expression'] === true && isNode(node['body'])
      ? [node['body']]
      : []
  })

const nameOf = (file: string, { start }: Node): string => `${file}:${start}`

/** The innermost part around a place in a file; undefined for what runs when the file is loaded. */
export function partAt(file: string, text: string, at: number): string | undefined {
  const innermost = listParts(file, text).findLast(({ start, end }) => start <= at && at < end)
  return innermost && nameOf(file, innermost)
}

/** The text with a note at the beginning of each part. */
export function markParts(file: string, text: string): string {
  return listParts(file, text)
    .flatMap((part) => {
      const note = `globalThis.reachedParts?.add('${nameOf(file, part)}')`
      if (part.type === 'BlockStatement') return [{ at: part.start + 1, text: `${note};` }]
      return [
        { at: part.start, text: `(${note}, ` },
        { at: part.end, text: ')' },
      ]
    })
    .sort((one, other) => one.at - other.at)
    .reduceRight((marked, { at, text: note }) => marked.slice(0, at) + note + marked.slice(at), text)
}

export interface Reach {
  seconds: number
  parts: readonly string[]
  /** Fails even without a mutant. */
  fails: boolean
}

/** Plays each test file once without a mutant. By file; a file that wrote nothing down could not be loaded, and fails. */
export async function measureReach(player: Player, tests: readonly string[]): Promise<Record<string, Reach>> {
  const reachFolder = mkdtempSync(join(tmpdir(), 'weir-reach-'))
  try {
    const { seconds, failedFiles } = await player.play(tests, { reachFolder })
    const reachOf = (test: string): Reach => {
      const path = join(reachFolder, `${test.replaceAll('/', '+')}.json`)
      const parts = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : []
      return { seconds: seconds[test] ?? 0, parts, fails: !existsSync(path) || failedFiles.includes(test) }
    }
    return Object.fromEntries(tests.map((test) => [test, reachOf(test)]))
  } finally {
    rmSync(reachFolder, { recursive: true, force: true })
  }
}
