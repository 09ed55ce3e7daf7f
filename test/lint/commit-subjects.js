// Checks the subjects of new commits (docs/naming.md, Commits). usage: node test/lint/commit-subjects.js [RANGE], `origin/main..` if none.
import { execFileSync } from 'node:child_process'

const LONGEST = 72
const SUBJECT =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9,/ -]+\))?!?: (?<first>[a-z][a-z-]*) /
/** Generated subjects. */
const GENERATED = /^(?:Merge|Revert) /
/** Words that begin a statement about the code, or an account of the past, where a subject begins with an imperative. Nouns are not recognised. */
const STATEMENT =
  /^(?:an?|the|all|each|every|no|not|one|two|its?|their|they|this|that|these|those|what|which|who|whose|where|when|more|less|only|some|any|[a-z]+(?:ed|ing))$/
const IMPERATIVES = new Set([
  'bring',
  'embed',
  'exceed',
  'feed',
  'need',
  'proceed',
  'seed',
  'shed',
  'speed',
  'string',
  'wring',
])

/** Returns the fault of a subject in words, or `undefined`. */
export function findSubjectFault(subject) {
  if (GENERATED.test(subject)) return undefined
  const first = SUBJECT.exec(subject)?.groups?.first
  if (!first) return 'begin with a type, an optional room in parentheses, a colon and a verb: "fix(relay): keep …"'
  if (STATEMENT.test(first) && !IMPERATIVES.has(first)) return `begin with an imperative instead of "${first}"`
  if (subject.length > LONGEST) return `shorten it from ${subject.length} to at most ${LONGEST} characters`
  return undefined
}

/** Prints the faults of the commits in a range, and returns their number. */
function checkRange(range) {
  const subjects = execFileSync('git', ['log', '--format=%h %s', range], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
  let faults = 0
  for (const line of subjects) {
    const fault = findSubjectFault(line.slice(line.indexOf(' ') + 1))
    if (!fault) continue
    faults += 1
    process.stderr.write(`${line}\n    ${fault}\n`)
  }
  return faults
}

if (import.meta.url === `file://${process.argv[1]}`)
  process.exitCode = checkRange(process.argv[2] ?? 'origin/main..') ? 1 : 0
