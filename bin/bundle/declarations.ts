// The declarations that programs compile against: of the two entries, and of what they reach.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const FROM = /\b(?:from|import|import\() ?["'](\.[^"']+)["']/g

/** Copies the declarations that the entries reach from the compiler's folder to another one, in the same places. */
export function copyDeclarations(entries: readonly string[], compiled: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  const reached = new Set(entries.map((entry) => join(compiled, entry)))
  // A set hands out what is added while it is read.
  for (const file of reached) {
    const text = readFileSync(file, 'utf8')
    for (const [, module = ''] of text.matchAll(FROM))
      reached.add(join(dirname(file), module.replace(/\.[jt]s$/, '.d.ts')))
    cpSync(file, join(to, relative(compiled, file)))
  }
}
