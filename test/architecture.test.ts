// The rules of the house, as tests: who may import whom, what may lie where, how large a file may grow.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { features as featureWords } from '../core/contract/glossary.data.ts'
import { apiContract } from '../core/contracts.ts'
import { errors } from '../core/errors.ts'
import * as features from '../core/features.ts'
import { imports, isLocal, root, sources, type Import } from './support/sources.ts'

const importsBelow = (folder: string) => imports.filter(({ from }) => from.startsWith(`${folder}/`))
/** The list of all stores. It is below every room and names the interfaces of all of them. */
const STORES = 'core/ports/storage.ts'

const shown = (bad: Import[]) => bad.map(({ from, to }) => `${from} → ${to}`)

/** What a folder may import from the tree, and which packages. */
const mayImport: Record<string, { local: RegExp; packages: RegExp }> = {
  http: {
    local:
      /^(core\/(index\.ts|contracts\.ts|endpoints\.ts|memoize\.ts|contract\/|dialects\/|models\/operation\.ts)|http\/)/,
    packages: /^(koa|@koa\/|koa-|node:|@fastify\/busboy$|music-metadata$|ws$)/,
  },
  cli: {
    local:
      /^(core\/(index|config|contracts|texts|errors(\.data)?)\.ts|core\/(contract|settings|pricing)\/|core\/adapters\/(node|imports\/index)\.ts|core\/[a-z]+\/[a-z-]+\.ts|core\/dialects\/answers\/frames\.ts|cli\/|http\/start\.ts)/,
    packages:
      /^(commander|csv-stringify|jq-web|decimal\.js|ink|@inkjs\/ui|react|node:|fast-string-width$|zod|yaml$|age-encryption$)/,
  },
  console: {
    local:
      /^(core\/(contracts\.ts|texts\.ts|errors(\.data)?\.ts|contract\/|settings\/|pricing\/|[a-z]+\/[a-z-]+\.ts)|console\/)/,
    packages:
      /^(react|react-dom|react-router|react-markdown|mdast-util-gfm|micromark-extension-gfm|rehype-(sanitize|highlight)|highlight\.js|@douyinfe\/|@tanstack\/|chart\.js|cmdk|csv-stringify\/browser\/|virtual:brand-sprite$|eventsource-parser|qrcode\.react|age-encryption|vite|@vitejs\/|zod|node:fs|node:module|node:url|node:path|node:zlib)/,
  },
  migrations: { local: /^migrations\//, packages: /^knex$/ },
  examples: { local: /^$/, packages: /^(weir-gateway|node:|openai|express$|fastify$|koa$|hono$|@hono\/node-server)/ },
}

describe('who may import whom', () => {
  for (const [folder, { local, packages }] of Object.entries(mayImport)) {
    it(`${folder}/ imports only what it may`, () => {
      const bad = importsBelow(folder).filter(({ to }) => !(isLocal(to) ? local : packages).test(to))
      expect(shown(bad)).toEqual([])
    })
  }

  it('only the serve command starts a server', () => {
    const bad = importsBelow('cli').filter(({ from, to }) => to.startsWith('http/') && from !== 'cli/commands/serve.ts')
    expect(shown(bad)).toEqual([])
  })

  // The bundle holds the values of `*.built.ts` as data.
  it('a command starts without a gateway, all settings, the reference and what draws: they are loaded when needed', () => {
    const loaded = new Set(['cli/main.ts', 'cli/commands/index.ts'])
    const needed = imports.filter(({ from, typeOnly, late }) => !typeOnly && !late && !from.endsWith('.built.ts'))
    for (const file of loaded) for (const { from, to } of needed) if (from === file) loaded.add(to)
    expect(loaded).toContain('cli/commands/serve.ts')
    const light =
      /^(core\/adapters\/(read-config|socket-path|signatures|start-error)\.ts|fast-string-width|zod|commander|decimal\.js|ipaddr\.js|node:.*)$/
    const heavy = [...loaded].filter(
      (to) =>
        !light.test(to) &&
        (!isLocal(to) ||
          /^(core\/(adapters|index|gateway|settings\/index|features?\.ts)|core\/[a-z]+\/(feature|handlers)\.ts|http\/|cli\/(parts\/.*x$|reference\/(?!page\.ts)))/.test(
            to,
          )),
    )
    expect(heavy).toEqual([])
  })

  it('no face imports handlers, stores or whole features', () => {
    const whole = /\/(handlers|store|feature)\.ts$|^core\/features?\.ts$/
    const bad = ['cli', 'console', 'http'].flatMap(importsBelow).filter(({ to }) => whole.test(to))
    expect(shown(bad)).toEqual([])
  })

  it('the contract and the ports name no feature', () => {
    const low = /^core\/(ports|contract)\/|^core\/errors(\.data)?\.ts$/
    const bad = ['core/ports', 'core/contract']
      .flatMap(importsBelow)
      .filter(({ from, to }) => from !== STORES && isLocal(to) && !low.test(to))
    expect(shown(bad)).toEqual([])
  })

  it('the list of stores imports their interfaces, types alone, and is the only declaration of them', () => {
    expect(shown(imports.filter(({ from, typeOnly }) => from === STORES && !typeOnly))).toEqual([])
    const added = sources.filter((file) =>
      /declare module '[^']*ports\/storage\.ts'/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(added).toEqual([])
  })

  it('the core is pure: itself, zod and libraries that only compute', () => {
    const bad = importsBelow('core').filter(
      ({ from, to }) =>
        !from.startsWith('core/adapters/') &&
        !(isLocal(to) ? /^core\/(?!adapters)/ : /^(zod|decimal\.js|ipaddr\.js|@monyone\/aho-corasick)$/).test(to) &&
        // Catalogues are part of the program, as modules are: they are read when a text is first shown in a language.
        !(from === 'core/catalogues.ts' && /^(node:(fs|module)|i18next)$/.test(to)) &&
        // The public library passes the one door to the adapters on.
        !(from === 'core/index.ts' && to === 'core/adapters/node.ts'),
    )
    expect(shown(bad)).toEqual([])
  })

  it('adapters know no handlers, no relay and no face', () => {
    const bad = importsBelow('core/adapters').filter(
      ({ from, to }) =>
        /^(http|cli|console)\/|\/handlers\.ts$|^core\/relay\//.test(to) ||
        (to === 'core/gateway.ts' && from !== 'core/adapters/node.ts'),
    )
    expect(shown(bad)).toEqual([])
  })
})

/** The rooms of core from the bottom up; a file imports from its own row or a lower one, types included. */
const rows = [
  /^core\/(ports\/|(texts|catalogues)\.ts|errors(\.data)?\.ts|contract\/|(config|jobs|memoize)\.ts)/,
  /^core\/(audit|models)\//,
  /^core\/(dialects|settings)\//,
  /^core\/pricing\//,
  /^core\/(providers|calls)\//,
  /^core\/(quota|journal)\//,
  /^core\/(bodies|logs|usage|tokens|groups|tasks|redemptions|prices)\//,
  /^core\/(users|auth)\//,
  /^core\/(teams|limits|notify|topups|site|search|devices|backups)\//,
  /^core\/channels\//,
  /^core\/(alerts|attention|imports|state|metrics|privacy)\//,
  /^core\/relay\//,
  /^core\/[a-z]+\/([a-z]+-)?(handlers|jobs)\.ts/,
  /^core\/(gateway|dispatch|features?|contracts|endpoints|[a-z]+\/feature)\.ts/,
]
/** A later row wins: `channels/handlers.ts` is a handler before it is about channels. */
const rowOf = (file: string) => rows.findLastIndex((row) => row.test(file))

describe('the order inside core', () => {
  const inside = importsBelow('core').filter(({ from, to }) => rowOf(from) >= 0 && rowOf(to) >= 0)

  it('no file imports from a row above its own', () => {
    expect(shown(inside.filter(({ from, to }) => from !== STORES && rowOf(to) > rowOf(from)))).toEqual([])
  })

  it('every file of core has its row', () => {
    const free = /^core\/(adapters\/|index\.ts)/
    expect(sources.filter((file) => file.startsWith('core/') && !free.test(file) && rowOf(file) < 0)).toEqual([])
  })
})

it('no two files import each other, however indirectly, not even for types', () => {
  const edges = new Map<string, string[]>()
  for (const { from, to } of imports) if (isLocal(to)) edges.set(from, [...(edges.get(from) ?? []), to])
  expect(cyclesIn(edges)).toEqual([])
})

function cyclesIn(edges: Map<string, string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) visit(file, [])
  return cycles
}

describe('what lies where', () => {
  it('no file or folder is named for what code is', () => {
    const refused = /(^|\/)(utils?|helpers?|common|misc|services|types|constants)(\/|\.tsx?$)/
    expect(sources.filter((file) => refused.test(file))).toEqual([])
  })

  it('file names are kebab-case', () => {
    expect(sources.filter((file) => !/^[a-z0-9./-]+$/.test(file))).toEqual([])
  })
})

describe('sizes', () => {
  it('no source file is longer than 500 lines', () => {
    const long = sources.filter((file) => {
      if (file.endsWith('.data.ts')) return false
      const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1
      return lines > 500
    })
    expect(long).toEqual([])
  })
})

describe('features', () => {
  const asked = Object.entries(features).filter(([, { contract }]) => contract)

  it('stand in two lists that agree: whole for the gateway, contracts alone for the faces', () => {
    expect(new Map<string, unknown>(asked.map(([name, each]) => [name, each.contract]))).toEqual(
      new Map(Object.entries(apiContract)),
    )
  })

  it('have a folder each, and every folder that declares one is in the list', () => {
    const declared = sources.filter((file) => /^core\/[a-z]+\/feature\.ts$/.test(file))
    expect(declared.map((file) => file.split('/')[1]).sort()).toEqual(Object.keys(features).sort())
  })

  it('take the parts that their own handlers, jobs and sinks declare: there is no list of all parts to take from', () => {
    const allowed = /^core\/(auth\/caller|calls\/sinks|contract\/endpoint|jobs)\.ts$/
    expect(shown(imports.filter(({ from, to }) => from === 'core/feature.ts' && !allowed.test(to)))).toEqual([])
  })

  it('with endpoints have words in the OpenAPI document', () => {
    expect(Object.keys(apiContract).filter((name) => !featureWords[name])).toEqual([])
  })
})

describe('declarations', () => {
  it('every error speaks both languages with the same parameters', () => {
    for (const [code, { en, zh }] of Object.entries(errors)) {
      const parameters = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
      expect(parameters(zh), code).toEqual(parameters(en))
    }
  })

  it('quota columns are written in one place', () => {
    const writes = /(quota|held|request_count|used_quota|remain_quota|unlimited_quota)\s*(=|:)\s*[^=]/
    const writers = sources.filter((file) => {
      if (!file.startsWith('core/adapters/') || /ledger(-sql)?\.ts$/.test(file)) return false
      const statements = readFileSync(join(root, file), 'utf8').split('\n')
      return statements.some((line) => /(update|insert|set)\b/i.test(line) && writes.test(line))
    })
    expect(writers).toEqual([])
  })
})
