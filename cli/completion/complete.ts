// The candidates at the cursor of a command line: pure functions of the table of commands.
import type { CompletionKind, CompletionNode, CompletionSlot, CompletionTable } from './table.ts'

export interface CompletionCandidate {
  value: string
  about?: string
}

export interface CompletionRequest {
  /** The word at the cursor, up to the cursor. */
  word: string
  /** The part of the same word before its candidates, as in `--columns=id,`. */
  before: string
  candidates: CompletionCandidate[]
  /** Set if the gateway must be asked for the candidates. */
  names?: { kind: CompletionKind; id: boolean }
  /** Values of given flags that locate the gateway. */
  given: Record<string, string>
}

/** Splits a line up to the cursor into words, without their quotes; the last is the one being typed. */
export function splitTypedWords(line: string): string[] {
  const words = ['']
  let quote = ''
  let inside = false
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? ''
    if (quote !== '') {
      if (sign === quote) quote = ''
      else if (sign === '\\' && quote === '"') words.push((words.pop() ?? '') + (line[(at += 1)] ?? ''))
      else words.push((words.pop() ?? '') + sign)
    } else if (sign === '"' || sign === "'") {
      quote = sign
      inside = true
    } else if (/\s/.test(sign)) {
      if (words.at(-1) !== '' || inside) words.push('')
      inside = false
    } else words.push((words.pop() ?? '') + (sign === '\\' ? (line[(at += 1)] ?? '') : sign))
  }
  return words
}

/** Returns the candidates at the end of these words, which begin after the program's name. */
export function findCandidates(table: CompletionTable, words: readonly string[], language: 0 | 1): CompletionRequest {
  const typed = [...words]
  const word = typed.pop() ?? ''
  const given: Record<string, string> = {}
  let node: CompletionNode = table
  let places = 0
  let waiting: CompletionSlot | undefined
  for (const one of typed) {
    if (one === '--') return { word, before: '', candidates: [], given }
    const [flag = '', inline] = splitFlag(one)
    const slot = findFlag(table, node, flag)
    if (waiting) waiting = undefined
    else if (one.startsWith('-')) {
      if (slot && inline === undefined) waiting = slot
    } else if (node.commands?.[one]) node = node.commands[one]
    else {
      node = getDefaultNode(node)
      places += 1
    }
    if (slot && inline !== undefined) given[flag] = inline
  }
  for (const [at, one] of typed.entries())
    if (findFlag(table, node, one)) given[one] = at + 1 < typed.length ? (typed[at + 1] ?? '') : ''
  const toCandidates = (slot: CompletionSlot, typedValue: string, before: string): CompletionRequest => ({
    word: typedValue,
    before,
    candidates: (slot.choices ?? []).map((value) => ({ value })),
    ...(slot.names ? { names: { kind: slot.names, id: slot.id === true } } : {}),
    given,
  })
  if (waiting) return toCandidates(waiting, word, '')
  const [flag = '', inline] = splitFlag(word)
  if (word.startsWith('-')) {
    const slot = findFlag(table, node, flag)
    if (inline !== undefined) return toCandidates(slot ?? {}, inline, `${flag}=`)
    const flags = [...new Set([...Object.keys(getDefaultNode(node).flags), ...Object.keys(table.flags), '--help'])]
    return { word, before: '', candidates: flags.map((value) => ({ value })), given }
  }
  if (node.commands && places === 0) {
    const commands = Object.entries(node.commands).filter(([, { alias }]) => !alias)
    const candidates = commands.map(([value, { about }]) => ({ value, about: about[language] }))
    const [first] = node.usual ? getDefaultNode(node).args : []
    return { ...toCandidates(first ?? {}, word, ''), candidates }
  }
  const { args } = getDefaultNode(node)
  const slot = args[places] ?? (args.at(-1)?.rest ? args.at(-1) : undefined)
  return toCandidates(slot ?? {}, word, '')
}

const getDefaultNode = (node: CompletionNode): CompletionNode => (node.usual && node.commands?.[node.usual]) || node

const findFlag = (table: CompletionTable, node: CompletionNode, flag: string): CompletionSlot | null | undefined =>
  getDefaultNode(node).flags[flag] ?? table.flags[flag]

/** Splits `--flag=value`. */
function splitFlag(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}
