// What stands in which file, and under which name: knowledge in its one room, one name for one thing, nothing unused.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sources } from './support/sources.ts'

const EXPORTED =
  /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|function\*?|class|interface|type)\s+([\w$]+)/gm

describe('what a room may know', () => {
  it('no number of a channel type stands outside the providers', () => {
    const numbered =
      /type\w*\??\.?\s*[!=]==?\s*\d|\d\s*[!=]==?\s*\w*type\b|_TYPES?\s*(:[^=]+)?=\s*(new Set\()?\[?\d|(provider|type)Of\(\d/i
    const places = sources.filter((file) =>
      /^(core\/(relay|channels|tasks|pricing|limits|calls)|console|cli|http)\//.test(file),
    )
    const bad = places.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => numbered.test(line) && !/DEFAULT_CHANNEL_TYPE|TRACK_TYPE/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(bad).toEqual([])
  })
})

describe('what is exported', () => {
  const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const words = new Map([...texts].map(([file, text]) => [file, new Set(text.match(/[A-Za-z_$][\w$]*/g))]))
  const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const product = sources.filter((file) => /^(core|http|cli|console)\//.test(file))
  const declared = product.flatMap((file) =>
    [...bare(texts.get(file) ?? '').matchAll(EXPORTED)].map(([, name = '']) => ({ file, name })),
  )

  it('means one thing in all of core', () => {
    // Each format has the same parts, under the same names: that is one meaning.
    const room = (file: string) => file.replace(/^core\/dialects\/[^/]+\/.*/, 'core/dialects/*')
    const places = new Map<string, Set<string>>()
    for (const { file, name } of declared.filter((one) => one.file.startsWith('core/')))
      places.set(name, (places.get(name) ?? new Set()).add(room(file)))
    const twice = [...places].filter(([, rooms]) => rooms.size > 1)
    expect(twice.map(([name, rooms]) => `${name}: ${[...rooms].join(', ')}`)).toEqual([])
  })

  it('is called by somebody, and not by tests alone', () => {
    const users = sources.filter((file) => !file.startsWith('test/'))
    const dead = declared.filter(({ file, name }) => {
      if (users.some((user) => user !== file && words.get(user)?.has(name))) return false
      return bare(texts.get(file) ?? '').split(new RegExp(`\\b${name.replace('$', '\\$')}\\b`)).length <= 2
    })
    expect(dead.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })
})

/** The comment at the beginning of a file. */
const headOf = (file: string) => /^(\/\/.*\n)*/.exec(readFileSync(join(root, file), 'utf8'))![0]

describe('the word that people search for', () => {
  const heads = sources
    .filter((file) => /^(core|http|cli|console)\//.test(file))
    .map((file) => ({ file, head: headOf(file).toLowerCase() }))

  it.each([
    ['SSRF', 'core/adapters/web.ts'],
    ['backoff', 'core/quota/group-commit.ts'],
    ['circuit breaker', 'core/channels/cooldown.ts'],
    ['half-open', 'core/channels/cooldown.ts'],
    ['idempotent', 'core/quota/ledger.ts'],
    ['failover', 'core/channels/router.ts'],
    ['sticky', 'core/channels/affinity.ts'],
    ['deadlock', 'core/adapters/knex/ledger.ts'],
  ])('%s stands in the head comment of its home, and only there', (word, home) => {
    const named = heads.filter(({ head }) => head.includes(word.toLowerCase()))
    expect(named.map(({ file }) => file)).toEqual([home])
  })
})

describe('what is done in one place', () => {
  it('addresses that people type are cleaned of the slashes at their end', () => {
    const cleaning = sources
      .filter((file) => /^(core|http|cli|console)\//.test(file))
      .filter((file) => readFileSync(join(root, file), 'utf8').includes('replace(/\\/+$/'))
    expect(cleaning).toEqual(['core/contract/base-url.ts'])
  })
})
