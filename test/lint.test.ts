// The rules of our own for the linter, and the check of commit subjects: what each refuses, and what it lets pass.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from './support/sources.ts'
// @ts-expect-error The linter loads its rules as plain JavaScript.
import { findSubjectFault as findFault } from './lint/commit-subjects.js'

const findSubjectFault = findFault as (subject: string) => string | undefined
const folder = mkdtempSync(join(tmpdir(), 'lint-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lints files of one line each, and returns for each the names of the rules of our own that it breaks. */
function lint(lines: readonly string[]): string[][] {
  for (const [at, line] of lines.entries()) writeFileSync(join(folder, `line-${at}.ts`), `${line}\n`)
  const run = [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', join(root, 'test/oxlint.json'), '-f', 'json', folder]
  let report: string
  try {
    report = execFileSync(process.execPath, run, { encoding: 'utf8' })
  } catch (error) {
    report = (error as { stdout: string }).stdout
  }
  const { diagnostics } = JSON.parse(report) as { diagnostics: { code: string; filename: string }[] }
  return lines.map((_, at) =>
    diagnostics
      .filter(({ code, filename }) => code.startsWith('weir(') && filename.endsWith(`line-${at}.ts`))
      .map(({ code }) => code.slice(5, -1)),
  )
}

const REFUSED: Record<string, readonly string[]> = {
  'subject-first': [
    '// Whoever calls this pays for it.',
    '/** What the ledger waits for. */',
    '// The ledger waits. Which of them comes first does not matter.',
    '/** The sum.\n * Where nothing is set, it is zero. */',
  ],
  'plain-names': [
    'export const toldUsers = 1',
    'export interface WhatIsSaid { readonly a: 1 }\nexport type SumBeside = 2',
    'export function usageIn() {}',
    'export const priceOf = () => 1',
  ],
}
const PASSED = [
  '// The ledger waits for the caller, who pays.',
  '/** Is it paid? Who pays?  */',
  'export function parseUsage() {}\nexport const isPrefixOf = () => true',
  'export const signIn = () => true\nexport const requireSignedIn = () => 1',
  'export const reply = { told: 1, said: 2 }',
]

describe('the linter', () => {
  const refused = Object.entries(REFUSED).flatMap(([rule, lines]) => lines.map((line) => ({ rule, line })))
  const found = lint([...refused.map(({ line }) => line), ...PASSED])

  it.each(refused.map((one, at) => ({ ...one, at })))('refuses $line', ({ rule, at }) => {
    expect(found[at]).toContain(rule)
  })

  it('lets plain names and sentences pass', () => {
    expect(found.slice(refused.length)).toEqual(PASSED.map(() => []))
  })
})

describe('the subject of a commit', () => {
  it.each([
    'fix(relay): keep parallel tool calls apart',
    'feat!: refuse amounts that add nothing',
    'ci: embed the version',
    'Merge branch cli-programs',
    'Revert "fix(relay): keep parallel tool calls apart"',
  ])('may be %s', (subject) => expect(findSubjectFault(subject)).toBeUndefined())

  it.each([
    'Keep parallel tool calls apart',
    'fix(relay): no parallel tool call is lost',
    'fix(relay): fixed parallel tool calls',
    'fix(relay): the tool calls stay apart',
    `fix(relay): ${'keep parallel tool calls apart '.repeat(3)}`,
  ])('may not be %s', (subject) => expect(findSubjectFault(subject)).toBeTypeOf('string'))
})
