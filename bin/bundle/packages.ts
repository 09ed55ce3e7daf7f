// The rules for packages: each is part of the bundle, a file of its own that is loaded late, or stays outside.
import { builtinModules, createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { InputOptions, OutputChunk, Plugin } from 'rolldown'

interface Manifest {
  name: string
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
}
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest

/** Dependencies for the sake of the published declarations: programs compile against them. Their code is in the bundle. */
const FOR_TYPES = ['@types/ws', 'decimal.js', 'zod']

/** Dependencies that npm installs, since they are compiled code: of SQLite, of Argon2 and of jq. */
const INSTALLED = Object.keys(manifest.dependencies).filter((name) => !FOR_TYPES.includes(name))

/** Packages that a package tries to load, and does without. */
const TRIED = ['bufferutil', 'kerberos', 'pg-native', 'pg-query-stream', 'supports-color', 'utf-8-validate']

/** The program loads them by `require` with the first use. Each becomes a file of its own. */
const LATE: Readonly<Record<string, string>> = {
  i18next: 'i18next.cjs',
  'pino-pretty': 'pino-pretty.cjs',
  'gpt-tokenizer/cjs/encoding/cl100k_base': 'cl100k_base.cjs',
  'gpt-tokenizer/cjs/encoding/o200k_base': 'o200k_base.cjs',
}

const isBuiltIn = (id: string) => id.startsWith('node:') || builtinModules.includes(id)
const toPackageName = (id: string) => /^(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id
const PEERS = new Set(Object.keys(manifest.peerDependencies))
const ABSENT_OR_INSTALLED = new Set([manifest.name, ...INSTALLED, ...TRIED])

/** True for modules that stay outside of the bundle. A package that needs a peer of Weir has it in the bundle. */
export function isOutside(id: string, importer = ''): boolean {
  const name = toPackageName(id)
  return isBuiltIn(id) || ABSENT_OR_INSTALLED.has(name) || (PEERS.has(name) && !importer.includes('node_modules'))
}

/** Parts of packages that Weir does not use, by file. */
const UNUSED = new RegExp(
  [
    // Dialects of other databases.
    'knex/lib/dialects/(better-sqlite3|cockroachdb|mssql|mysql2?|mariadb|oracle|oracledb|pgnative|redshift)/',
    // The link to the developer tools of React.
    'ink/build/devtools',
    // Counts in other stores, and queues.
    'rate-limiter-flexible/lib/(Burst|Express|RLWrapper|RateLimiter(Cluster|Drizzle|Dynamo|Etcd|Mem[^o]|Mongo|MySQL|Prisma|Queue|RedisN|SQLite|Union|Valkey))',
    // HTTP/2.
    'undici/lib/dispatcher/client-h2',
  ]
    .map((path) => `/node_modules/${path}`.replaceAll('/', '[\\\\/]'))
    .join('|'),
)
const REACT = /[\\/]node_modules[\\/](ink|react|react-reconciler|scheduler)[\\/]/

/** Leaves out parts that no command uses, and what React does for developers only. */
export const trimPackages = (): Plugin => ({
  name: 'weir:trim-packages',
  load: {
    filter: { id: UNUSED },
    handler: () => 'export {}',
  },
  transform: {
    filter: { id: REACT },
    handler: (code) => ({ code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null }),
  },
})

const UNDICI = '\0undici'

/** Takes undici's HTTP client without the rest: `fetch`, WebSockets, caches and mocks are half a megabyte to compile. */
export const takeHttpClient = (): Plugin => ({
  name: 'weir:http-client',
  resolveId: (source) => (source === 'undici' ? UNDICI : null),
  load: (id) =>
    id === UNDICI
      ? `import api from 'undici/lib/api/index.js'
         import buildConnector from 'undici/lib/core/connect.js'
         import errors from 'undici/lib/core/errors.js'
         import Agent from 'undici/lib/dispatcher/agent.js'
         import Client from 'undici/lib/dispatcher/client.js'
         import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
         import Pool from 'undici/lib/dispatcher/pool.js'
         import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
         import Socks5ProxyAgent from 'undici/lib/dispatcher/socks5-proxy-agent.js'
         // As undici's own index does.
         Object.assign(Dispatcher.prototype, api)
         export { Agent, buildConnector, Client, errors, Pool, ProxyAgent, Socks5ProxyAgent }`
      : null,
})

/** The files of the packages that are loaded late. */
export const bundleLate = (): InputOptions[] =>
  Object.entries(LATE).map(([id, file]) => ({
    input: { [file.replace(/\.cjs$/, '')]: createRequire(import.meta.url).resolve(id) },
  }))

/**
 * Writes letters outside ASCII as escapes: V8 holds the text of a file with one of them in twice the memory. Only strings,
 * patterns and comments have any. The last step, since the bundler prints letters again after the others.
 */
export const writeAscii = (): Plugin => ({
  name: 'weir:ascii',
  generateBundle(_, files) {
    const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escape)
  },
})

/** Writes no source map of a file in which there is no code of Weir. */
export const mapOwnCode = (): Plugin => ({
  name: 'weir:map-own-code',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk' && file.moduleIds.every((id) => id.includes('node_modules') || id.startsWith('\0')))
        delete files[`${file.fileName}.map`]
  },
})

/** Names those files instead of the packages. */
export const replaceLate = (folder: string): Plugin => ({
  name: 'weir:replace-late',
  renderChunk(code) {
    const replaced = Object.entries(LATE).reduce(
      (text, [id, file]) => text.replaceAll(`("${id}")`, `("${folder === 'bundle' ? './' : '../bundle/'}${file}")`),
      code,
    )
    return replaced === code ? null : { code: replaced }
  },
})

/**
 * Checks that an installation has every package which the chunks load.
 * @throws Error that names the others
 */
export function refuseUnlisted(chunks: readonly OutputChunk[]): void {
  for (const { fileName, code, imports, dynamicImports } of chunks) {
    const required = [
      ...code.matchAll(/(?<![\w$.])(?:__)?require(?:\$\d+|\(import\.meta\.url\))?\("([^"./][^"]*)"\)/gi),
    ]
    const names = [...imports, ...dynamicImports, ...required.map(([, id = '']) => id)]
    const unknown = names.filter((id) => !chunks.some((chunk) => chunk.fileName === id) && !isOutside(id))
    if (unknown.length > 0) throw new Error(`${fileName} loads ${unknown.join(', ')}, which is not installed.`)
  }
}
