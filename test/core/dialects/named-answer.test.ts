// Answers that pass in their format, with the model under the name that the caller asked for: nothing else of them changes,
// and their watcher reports what it would report without that.
import { describe, expect, it } from 'vitest'
import { createRenamingWatcher, renameAnswerModel } from '../../../core/dialects/answers/named-answer.ts'
import type { StreamFinding, PassthroughWatcher } from '../../../core/dialects/answers/stream-watcher.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { callerFormats, streamFormats, TEXTS, USED } from '../../support/formats.ts'

const head = { model: 'asked', stream: true, include_usage: true, prompt_estimate: 1 }
const encoder = new TextEncoder()
const text = (runs: readonly Uint8Array[] = []) => runs.map((run) => new TextDecoder().decode(run)).join('')
/** Everything that a watcher reports of a step, with its bytes as texts. */
const reported = (watcher: PassthroughWatcher, { pass, end, ...facts }: StreamFinding) => ({
  ...facts,
  pass: text(pass),
  end: end && text([end]),
  state: [watcher.outputEstimate(), watcher.sound(), watcher.answered(), watcher.finished()],
})

/** The same with the name in the bytes. The provider calls its model `m`. */
function renamed<R extends { pass: string; end?: string }>(report: R): R {
  const rename = (written: string) => written.replaceAll(/"(model|modelVersion)":"m"/g, '"$1":"asked"')
  return { ...report, pass: rename(report.pass), end: report.end === undefined ? undefined : rename(report.end) }
}

const passing = streamFormats.flatMap((format) => {
  const dialect: Dialect | undefined = callerFormats.find(({ name }) => name === format.dialect.name)
  return dialect ? [{ ...format, dialect }] : []
})

describe.each(passing.map((format) => [format.dialect.name, format] as const))('an answer of %s', (_, format) => {
  const { dialect, opening, texts, finish, usage, end, failure } = format
  const streams = {
    'from its beginning to its end': [opening, ...texts, finish, usage, end],
    'that fails': [opening, ...texts, failure()],
    'that breaks off': [opening, texts[0]!],
  }

  it.each(Object.entries(streams))('%s passes with the name and no other change', (__, runs) => {
    const plain = dialect.watcher(head)
    const naming = createRenamingWatcher(dialect.watcher(head), 'asked', dialect.modelKeys)
    for (const run of runs.filter((one) => one !== '')) {
      const expected = renamed(reported(plain, plain.look(encoder.encode(run))))
      expect(reported(naming, naming.look(encoder.encode(run)))).toEqual(expected)
    }
    expect(reported(naming, naming.close())).toEqual(renamed(reported(plain, plain.close())))
    expect(naming.finished()).toBe(runs.includes(finish))
  })
})

it('the answers of the formats name their model, their texts and their usage', () => {
  for (const { dialect, opening, texts, finish, usage, end } of passing) {
    const watcher = createRenamingWatcher(dialect.watcher(head), 'asked', dialect.modelKeys)
    const findings = [opening, ...texts, finish, usage, end].map((run) => watcher.look(encoder.encode(run)))
    const passed = text(findings.flatMap(({ pass, end: last }) => [...pass, ...(last ? [last] : [])]))
    for (const said of TEXTS) expect(passed, dialect.name).toContain(said)
    expect(findings.findLast(({ usage: used }) => used)?.usage, dialect.name).toMatchObject(USED)
    expect(passed).not.toMatch(/"(model|modelVersion)":"m"/)
  }
})

it('bytes that are no object stay as they are', () => {
  for (const given of ['', '[DONE]', '[{"model":"m"}]', '{"model":5}', '{"model":"m"', '"model"']) {
    const bytes = encoder.encode(given)
    expect(renameAnswerModel(bytes, 'asked', ['model'])).toBe(bytes)
  }
  const named = renameAnswerModel(encoder.encode('{"response":{"model":"m","n":1.0},"model":"n"}'), 'asked', [
    'response.model',
  ])
  expect(text([named])).toBe('{"response":{"model":"asked","n":1.0},"model":"n"}')
})
