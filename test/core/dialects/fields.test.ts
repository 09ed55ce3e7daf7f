// Every documented field of every caller's format, on its way to every other format: nothing is lost.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { callers, fateOf, providers } from './fields/classify.ts'
import { page, PAGE } from './fields/page.ts'

describe.each(callers.map((caller) => [caller.dialect.name, caller] as const))('a field of %s', (_, caller) => {
  const others = providers.filter(([to]) => to !== caller.dialect)

  it('is never lost on the way to another format', () => {
    const lost = others.flatMap(([to, model]) =>
      Object.entries(caller.samples)
        .filter(([name, sample]) => fateOf(caller, to, model, name, sample) === 'lost')
        .map(([name]) => `${name}, to ${to.name}`),
    )
    expect(lost).toEqual([])
    expect(others.length).toBeGreaterThan(0)
  })
})

describe('the page', () => {
  it('says what is so', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(page())
  })
})
