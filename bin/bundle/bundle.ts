// Bundles the command and the library into few files: Node takes longer to find and read a thousand small
// modules than to run a command. `npm run build:bundle` runs it after the compiler, whose modules in `dist/core`, `dist/cli`
// and `dist/http` stay beside it for the tests, which load them one by one.
//
// There are two graphs, and no process runs both, so that no state of a module exists twice:
//
//   dist/bundle/  everything: the command with all that it loads, `weir serve` included, and the library
//   dist/remote/  the commands to a running Weir, without the schemas of the contract and without a gateway
//
// Packages are part of the bundles, so that an installation has neither them nor what they bring with them. Those with
// compiled code, and those that the operator adds, stay outside.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type InputOptions, type OutputChunk, type OutputOptions } from 'rolldown'
import { markPureDeclarations } from '../../console/pure-declarations.ts'
import { readBuiltValues } from './built-values.ts'
import { copyDeclarations } from './declarations.ts'
import { collectLicences } from './licences.ts'
import {
  bundleLate,
  isOutside,
  mapOwnCode,
  refuseUnlisted,
  replaceLate,
  takeHttpClient,
  trimPackages,
  writeAscii,
} from './packages.ts'
import { bundleZod, loadZodLate, replaceModules } from './remote.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const whole: InputOptions = {
  input: {
    main: join(root, 'cli/main.ts'),
    completion: join(root, 'cli/completion/main.ts'),
    'quick-answers': join(root, 'cli/quick-answers.ts'),
    'running-server': join(root, 'cli/running-server.ts'),
    engine: join(root, 'cli/engine.ts'),
    core: join(root, 'core/index.ts'),
    http: join(root, 'http/index.ts'),
  },
  plugins: [readBuiltValues(root), takeHttpClient(), trimPackages()],
}

const remote: InputOptions = {
  input: { main: join(root, 'cli/main.ts') },
  plugins: [
    readBuiltValues(root),
    replaceModules({
      [join(root, 'cli/commands/load.ts')]: join(root, 'cli/commands/load-remote.ts'),
      [join(root, 'cli/connection/local-gateway.ts')]: join(root, 'cli/connection/no-gateway.ts'),
    }),
    loadZodLate(),
    markPureDeclarations(),
    trimPackages(),
  ],
}

async function write(folder: string, options: InputOptions, output: OutputOptions = {}): Promise<OutputChunk[]> {
  const graph = await rolldown({
    cwd: root,
    platform: 'node',
    // Errors end the build; notes about its speed, and about addresses that are resolved at run time, help nobody.
    logLevel: 'silent',
    // The wrapper of a module is compiled when it runs: many modules of packages never do.
    optimization: { pifeForModuleWrappers: false },
    external: (id, importer) => isOutside(id, importer),
    // For modules that were written for CommonJS.
    transform: output.format === 'cjs' ? {} : { define: { __dirname: 'import.meta.dirname' } },
    ...options,
  })
  const written = await graph.write({
    dir: join(root, 'dist', folder),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Names of functions stay, so that a stack trace can be read; the maps lead to the lines of the sources.
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    plugins: [replaceLate(folder), writeAscii(), mapOwnCode()],
    ...output,
  })
  await graph.close()
  return written.output.filter((file) => file.type === 'chunk')
}

for (const folder of ['bundle', 'remote']) rmSync(join(root, 'dist', folder), { recursive: true, force: true })
// A file costs more than its text: what several commands load is one.
const groups = [{ name: 'common', minShareCount: 4, test: /^(?!.*[\\/]node_modules[\\/](ink|react|@inkjs)[\\/])/ }]
const small = await write('remote', remote, { codeSplitting: { groups } })
const zod = await write('remote', bundleZod(small), { format: 'cjs', entryFileNames: 'zod.cjs' })
const large = await write('bundle', whole)
for (const late of bundleLate())
  large.push(
    ...(await write('bundle', late, { format: 'cjs', entryFileNames: '[name].cjs', sourcemap: false, plugins: [] })),
  )
const chunks = [...large, ...small, ...zod]
refuseUnlisted(chunks)
writeFileSync(
  join(root, 'dist/bundle/LICENSES.txt'),
  collectLicences(chunks, (file) => readFileSync(file, 'utf8')),
)
// The modules of each file, for the tests. The package does not include the list.
writeFileSync(
  join(root, 'dist/bundled-modules.json'),
  JSON.stringify(Object.fromEntries(large.map(({ fileName, moduleIds }) => [fileName, moduleIds]))),
)
copyDeclarations(['core/index.d.ts', 'http/index.d.ts'], join(root, 'dist'), join(root, 'dist/types'))
