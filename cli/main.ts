// The terminal face: reads the command line, runs one command, turns its end into an exit code.
import { createRequire } from 'node:module'
import { CommanderError } from 'commander'
import { configOptions, readConfig } from '../core/config.ts'
import type { Language } from '../core/errors.ts'
import { visible } from '../core/logs/visible.ts'
import { createAsk } from './ask.ts'
import type { Command, Context } from './command.ts'
import { commands } from './commands/index.ts'
import { EXIT, failureOf } from './failure.ts'
import { createPrinter, coloured } from './output.ts'
import { attributeOf, createProgram } from './program.ts'
import { openSession } from './session.ts'
import { onInterrupt } from './signals.ts'

/** The process as far as commands see it. */
export interface Host {
  env: Record<string, string | undefined>
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

/** Runs the command line; the process ends by itself with the exit code set. */
export async function main(argv: string[]): Promise<void> {
  process.exitCode = await runCommandLine(argv.slice(2), process)
}

/** Runs one command line and gives its exit code. */
export async function runCommandLine(args: string[], host: Host): Promise<number> {
  ignoreClosedPipe(host.stdout)
  let exit: number = EXIT.ok
  const program = createProgram({
    commands,
    version: packageVersion(),
    stdout: (text) => void host.stdout.write(visible(text)),
    stderr: (text) => void host.stderr.write(visible(text)),
    columns: host.stdout.isTTY ? host.stdout.columns : undefined,
    run: async (command, given) => {
      exit = await runCommand(command, given, host)
    },
  })
  if (args.length === 0) {
    program.outputHelp()
    return EXIT.ok
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version are thrown too, with exit code 0; whatever else commander refuses is wrong usage.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  }
  return exit
}

async function runCommand(command: Command, given: Pick<Context, 'options' | 'args'>, host: Host): Promise<number> {
  const { env, stdin, stdout, stderr } = host
  const text = (name: string) => given.options[name] as string | undefined
  const language = (text('language') ?? (env.WEIR_LANGUAGE === 'zh' ? 'zh' : 'en')) as Language
  const json = given.options.json === true
  const print = createPrinter({ stdout, stderr, json, quiet: given.options.quiet === true, env })
  const drawable = Boolean(stdout.isTTY) && !json && env.TERM !== 'dumb' && !env.CI
  const interactive = drawable && Boolean(stdin.isTTY)
  const config = () => readConfig(configFlags(given.options), env, Boolean(stdout.isTTY))
  const server = text('server') ?? (env.WEIR_SERVER || undefined)
  const session = openSession({
    server,
    accessToken: text('accessToken') ?? env.WEIR_ACCESS_TOKEN,
    language,
    config,
    env,
  })
  let exit: number = EXIT.ok
  try {
    await command.run({
      ...given,
      ...session.doors(command),
      print,
      ask: createAsk(interactive, { stdin, stdout }, coloured(stdout, env), drawable && !given.options.quiet),
      get config() {
        return config()
      },
      language,
      server,
      terminal: { interactive, columns: stdout.isTTY ? stdout.columns : undefined },
      env,
      version: packageVersion(),
      commands,
      readInput: () => readAll(stdin),
      interrupted: onInterrupt,
      failed: () => {
        if (command.failsWhen === undefined) throw new Error(`${command.name} does not say when it ends with 1.`)
        exit = EXIT.failed
      },
    })
  } catch (error) {
    const failure = failureOf(error, language)
    if (failure) print.failure(failure)
    exit = failure?.exit ?? EXIT.usage
  } finally {
    await session.close()
  }
  return exit
}

/** What was given of the configuration's flags, by the configuration's names. */
function configFlags(options: Context['options']): Parameters<typeof readConfig>[0] {
  const entries = Object.entries(configOptions).map(([key, { flag }]) => [key, options[attributeOf(flag)]] as const)
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')) as Parameters<
    typeof readConfig
  >[0]
}

// `weir logs list | head -1` closes our output early: that is no failure.
function ignoreClosedPipe(stdout: NodeJS.WriteStream): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok)
    throw error
  })
}

async function readAll(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of stdin) text += String(chunk)
  return text.replace(/\r?\n$/, '')
}

function packageVersion(): string {
  const manifest = createRequire(import.meta.url)('weir-gateway/package.json') as { version: string }
  return manifest.version
}

// Started directly (as in development), not through the installed command.
if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) await main(process.argv)
