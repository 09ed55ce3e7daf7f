// Mutants: source files with one line changed, as a mistake would change it. A good test suite fails on nearly all of them.
import { transformWithOxc } from 'vite'
import type { Random } from '../../core/ports/random.ts'
import { listEdits, type Edit } from './edits.ts'

export interface Mutant {
  /** From the root. */
  file: string
  /** From 1. */
  line: number
  before: string
  after: string
  change: string
}

/** Draws `count` mutants, no two of a line; a file has its part of them by the number of its lines that can be changed. */
export async function drawMutants(
  texts: ReadonlyMap<string, string>,
  count: number,
  random: Random,
): Promise<Mutant[]> {
  const lines = [...texts].flatMap(([file, text]) =>
    groupByLine(listEdits(file, text), text).map((edits) => ({ file, text, edits })),
  )
  const mutants: Mutant[] = []
  for (const { file, text, edits } of shuffle(lines, random)) {
    if (mutants.length === count) break
    for (const edit of shuffle(edits, random)) {
      if (!(await changesCode(file, text, applyEdit(text, edit)))) continue
      mutants.push(toMutant(file, text, edit))
      break
    }
  }
  return mutants.sort((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line)
}

/** The file's text with the mutant's line in it. */
export function mutate(text: string, { file, line, before, after }: Mutant): string {
  const lines = text.split('\n')
  if (lines[line - 1] !== before) throw new Error(`${file}:${line} is another line by now`)
  return lines.with(line - 1, after).join('\n')
}

/** The first character that the mutant changes. */
export function placeOf(text: string, { line, before, after }: Mutant): number {
  const lineStart = text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0)
  return lineStart + before.split('').findIndex((character, index) => character !== after[index])
}

const applyEdit = (text: string, { start, end, text: replacement }: Edit): string =>
  text.slice(0, start) + replacement + text.slice(end)

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function groupByLine(edits: readonly Edit[], text: string): Edit[][] {
  const lines = new Map<number, Edit[]>()
  for (const edit of edits) {
    const line = lineOf(text, edit.start)
    lines.set(line, [...(lines.get(line) ?? []), edit])
  }
  return [...lines.values()]
}

function toMutant(file: string, text: string, edit: Edit): Mutant {
  const line = lineOf(text, edit.start)
  const [before = '', after = ''] = [text, applyEdit(text, edit)].map((each) => each.split('\n')[line - 1])
  return { file, line, before, after, change: edit.change }
}

/** Not where the new text is no TypeScript, or means the same. */
async function changesCode(file: string, before: string, after: string): Promise<boolean> {
  try {
    const [old, changed] = await Promise.all([before, after].map((text) => transformWithOxc(text, file)))
    return old?.code !== changed?.code
  } catch {
    return false
  }
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  return items.map(() => left.splice(Math.floor(random.number() * left.length), 1)[0]!)
}
