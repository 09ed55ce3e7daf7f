// The process that plays a library, by the language of its file: Python by uv, Go by its own tools, Java by Maven.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CACHE, runUv } from '../support/uv.ts'

const run = promisify(execFile)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export interface Program {
  command: string
  args: readonly string[]
}

interface Language {
  /** What the file says of the library's version. */
  version: RegExp
  /** Installs what the file needs, once. @throws Error where it is not to be had */
  install(file: string): Promise<Program>
}

const languages: Readonly<Record<string, Language>> = {
  '.py': {
    version: /"[\w-]+(?:\[[\w,-]+\])?==([\w.]+)"/,
    async install(file) {
      const script = ['--no-python-downloads', '--script', file]
      await runUv(['sync', '--quiet', ...script])
      return { command: await runUv(['python', 'find', ...script]), args: [here('play.py'), file] }
    },
  },
  '.go': {
    version: /^\/\/ requires \S+ v([\w.]+)/,
    async install(file) {
      const [, module = '', version = ''] = /^\/\/ requires (\S+) (\S+)/.exec(readFileSync(file, 'utf8')) ?? []
      const cwd = join(CACHE, 'go', basename(file, '.go'))
      mkdirSync(cwd, { recursive: true })
      for (const source of [here('play.go'), file]) copyFileSync(source, join(cwd, basename(source)))
      const go = (...args: string[]) => run('go', args, { cwd, maxBuffer: 2 ** 26 })
      if (!existsSync(join(cwd, 'go.mod'))) await go('mod', 'init', 'played')
      await go('get', `${module}@${version}`)
      await go('build', '-o', 'played', '.')
      return { command: join(cwd, 'played'), args: [] }
    },
  },
  '.java': {
    version: /^\/\/ requires [^:\s]+:[^:\s]+:([\w.]+)/,
    async install(file) {
      const cwd = join(CACHE, 'java', basename(file, '.java'))
      mkdirSync(cwd, { recursive: true })
      writeFileSync(join(cwd, 'pom.xml'), mavenProject(readFileSync(file, 'utf8')))
      await run('mvn', ['-B', '-q', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], { cwd })
      const path = readFileSync(join(cwd, 'classpath'), 'utf8').trim()
      // No annotation processors: a library's own may be among its packages.
      await run('javac', ['-proc:none', '-cp', path, '-d', 'classes', here('play.java'), file], { cwd })
      // Java reads no proxy from its environment.
      const proxy = ['-Dhttps.proxyHost=127.0.0.1', '-Dhttps.proxyPort=9']
      return { command: 'java', args: [...proxy, '-cp', `${join(cwd, 'classes')}:${path}`, 'Play'] }
    },
  },
}

/** A Maven project with the packages that a file requires, each as `// requires GROUP:ARTIFACT:VERSION`. */
function mavenProject(source: string): string {
  const dependencies = [...source.matchAll(/^\/\/ requires ([^:\s]+):([^:\s]+):(\S+)$/gm)].map(
    ([, group, artifact, version]) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  )
  const own =
    '<modelVersion>4.0.0</modelVersion><groupId>played</groupId><artifactId>played</artifactId><version>1</version>'
  return `<project>${own}<dependencies>${dependencies.join('')}</dependencies></project>`
}

const languageOf = (file: string): Language | undefined => languages[extname(file)]

/** Is it the file of a library? */
export const isLibrary = (file: string): boolean => languageOf(file) !== undefined

/** Installs a library and returns how it is played. @throws Error where it is not to be had */
export async function installProgram(file: string): Promise<Program & { version: string }> {
  const language = languageOf(file)
  if (!language) throw new Error(`${file}: no language of this suite`)
  const version = language.version.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  return { ...(await language.install(file)), version }
}
