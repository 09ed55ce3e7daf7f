// Rules for the place and the name of code: knowledge in one folder, one name for one thing, nothing unused.
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
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

  it('has one meaning in its folder of core', () => {
    const places = new Map<string, string[]>()
    for (const { file, name } of declared.filter((one) => one.file.startsWith('core/'))) {
      const key = `${name} in ${dirname(file)}`
      places.set(key, [...(places.get(key) ?? []), basename(file)])
    }
    // A value and its type may share a name in one file.
    const twice = [...places].filter(([, files]) => new Set(files).size > 1)
    expect(twice.map(([key, files]) => `${key}: ${files.join(', ')}`)).toEqual([])
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
