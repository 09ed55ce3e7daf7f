// `weir __complete SHELL LINE`: the completion that a shell requests when Tab is pressed. It loads almost nothing and
// never fails.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { socketPath } from '../../core/adapters/socket-path.ts'
import { LOCAL_CONTEXT, readContexts, resolveTarget } from '../connection/contexts.ts'
import { findCandidates, splitTypedWords, type CompletionRequest, type CompletionCandidate } from './complete.ts'
import { getCacheFolder, removeCacheFiles, writePrivateCache, loadMatchingNames, type GatewayAddress } from './names.ts'
import type { CompletionTable } from './table.ts'
import type { ShellVariables } from '../language.ts'

/** Prints one candidate a line; for every shell except bash, followed by a tab and its description. */
export async function complete(
  args: readonly string[],
  env: ShellVariables,
  write: (text: string) => void,
): Promise<void> {
  const [shell = '', line = '', breaks = ''] = args
  try {
    const [, ...words] = splitTypedWords(line)
    const chinese = [env.WEIR_LANGUAGE, env.LC_ALL, env.LC_MESSAGES, env.LANG].find((one) => one)?.startsWith('zh')
    const request = findCandidates(await loadTable(env), words, chinese ? 1 : 0)
    const found = [...request.candidates, ...(await loadNames(request, env))].filter(({ value }) =>
      value.startsWith(request.word),
    )
    // Bash replaces only the part after the last of its own word breaks.
    const whole = request.before + request.word
    const cut = shell === 'bash' ? 1 + Math.max(...[...breaks].map((sign) => whole.lastIndexOf(sign)), -1) : 0
    write(found.map((each) => formatCandidate(shell, request.before, each, cut)).join(''))
  } catch {
    // No candidates are offered then.
  }
}

const formatCandidate = (shell: string, before: string, { value, about }: CompletionCandidate, cut: number) =>
  `${oneLine(before + value).slice(cut)}${shell === 'bash' || !about ? '' : `\t${oneLine(about)}`}\n`

const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

async function loadNames(
  { names, word, given }: CompletionRequest,
  env: ShellVariables,
): Promise<CompletionCandidate[]> {
  if (!names) return []
  if (names.kind === 'contexts') {
    const { contexts } = readContexts(env)
    return [
      { value: LOCAL_CONTEXT },
      ...Object.entries(contexts).map(([value, { server }]) => ({ value, about: server })),
    ]
  }
  return loadMatchingNames({ ...names, kind: names.kind }, word, findEndpoint(given, await whole(env)), env)
}

/** Adds the secrets that are stored in files. The code that reads them is loaded only if there are any. */
const whole = async (env: ShellVariables): Promise<ShellVariables> =>
  env.DATABASE_URL_FILE || env.WEIR_ACCESS_TOKEN_FILE
    ? (await import('../../core/adapters/read-config.ts')).addSecretsFromFiles(env)
    : env

function findEndpoint(given: Record<string, string>, env: ShellVariables): GatewayAddress {
  const [request, database] = [given['--data'], given['--database'] ?? (env.DATABASE_URL || undefined)]
  const { server, accessToken = '' } = resolveTarget(
    {
      server: given['--server'],
      data: request,
      database: given['--database'],
      context: given['--context'],
      accessToken: given['--access-token'],
    },
    env,
    unknown,
  )
  if (server !== undefined) return { server: /^https?:\/\//.test(server) ? server : `http://${server}`, accessToken }
  const data = request ?? (env.WEIR_DATA || './weir-data')
  return { socketPath: socketPath({ data, ...(database ? { database } : {}) }) }
}

function unknown(name: string): never {
  throw new Error(`There is no context ${name}.`)
}

/** Returns the table, cached in a file until the commands change. */
async function loadTable(env: ShellVariables): Promise<CompletionTable> {
  const { mtimeMs, size } = statSync(import.meta.filename)
  const file = path.join(getCacheFolder(env), `commands-${mtimeMs}-${size}.json`)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CompletionTable
  } catch {
    const { buildCompletionTable: makeTable } = await import('./make-table.ts')
    const table = await makeTable()
    // Nothing reads the tables of other builds any more.
    removeCacheFiles(path.dirname(file), (name) => name.startsWith('commands-'))
    writePrivateCache(file, JSON.stringify(table))
    return table
  }
}
