// The files that npm may put into the package, and the environment of a person who installs it.
import { expect } from 'vitest'

/** Without keys, and without variables of this run's npm or of a Weir. */
export const strangerEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|command|config_local|config_prefix)|WEIR_|DATABASE_URL|PORT$|HOST$|VITEST|NODE_ENV)|_KEY$/.test(
        name,
      ),
  ),
)

/** The program, the built console and their papers are there, and nothing else is. */
export function checkPackedFiles(files: readonly string[]): void {
  const wanted = [
    'package.json',
    'README.md',
    'LICENSE',
    'bin/weir.js',
    'examples/express.ts',
    'examples/deploy/Dockerfile',
    'dist/bundle/main.js',
    'dist/bundle/LICENSES.txt',
    'dist/remote/main.js',
    'dist/core/locales/zh/common.json',
    'dist/cli/locales/zh/common.json',
    'dist/console/index.html',
    'dist/console/package-licences.md',
  ]
  const declarations = ['dist/types/core/index.d.ts', 'dist/types/http/index.d.ts']
  const entries = ['dist/bundle/core.js', 'dist/bundle/http.js', ...declarations]
  expect(files).toEqual(expect.arrayContaining([...wanted, ...entries]))
  expect(files.some((file) => /^dist\/console\/assets\/.+\.js$/.test(file))).toBe(true)
  // Each module is in the package as a part of a bundle, and each declaration that a program reaches once.
  expect(files.filter((file) => /^dist\/(cli|core|http|migrations)\/.*\.js$/.test(file))).toEqual([])
  const odd = files.filter(
    (file) =>
      !/^(bin\/|examples\/[\w-]+\.(ts|sh)$|examples\/README\.md$|examples\/(deploy|operations)\/|dist\/(bundle|console|man|remote)\/|dist\/(cli|core)\/locales\/|dist\/types\/.*\.d\.ts$|package\.json$|README\.md$|LICENSE$)/.test(
        file,
      ),
  )
  expect(odd).toEqual([])
  expect(
    files.filter((file) =>
      /^(?!dist\/(bundle|remote)\/).*\.map$|\.test\.|(^|\/)test\/|^dist.*(?<!\.d)\.tsx?$|\.db$|\.key$|\.env/.test(file),
    ),
  ).toEqual([])
}
