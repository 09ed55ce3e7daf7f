// Display of the gateways known by name, and search by name.
import { fillTemplate, joinList } from '../../core/errors.ts'
import { NEVER_EXPIRES } from '../../core/tokens/token.ts'
import { LOCAL_CONTEXT, readContexts, type SavedContext } from '../connection/contexts.ts'
import { UsageError } from '../failure.ts'
import { words } from '../texts.ts'
import { listNamedRows, suggestNames } from './names.ts'
import { flag, text, time, type OutputView } from '../output/view.ts'
import { NEVER_WORDS } from './states.data.ts'

export type ContextRow = Omit<SavedContext, 'access_token' | 'issued'> & { name: string; current: boolean }

export const savedContextView: OutputView<ContextRow> = {
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  server: text(words('SERVER'), 1, ({ server }) => server, { flexible: true }),
  username: text(words('USER'), 2, ({ username }) => username),
  current: flag(words('CURRENT'), 1, ({ current }) => current, {
    tone: ({ current }) => (current ? 'good' : 'plain'),
  }),
  expires: time(words('EXPIRES'), 3, ({ expires }) => expires, {
    shown: ({ expires }, { language }) => (expires === NEVER_EXPIRES ? NEVER_WORDS[language] : undefined),
    tone: ({ expires = NEVER_EXPIRES }) =>
      expires !== NEVER_EXPIRES && expires * 1000 <= Date.now() ? 'bad' : 'plain',
  }),
  access_token_name: text(words('ACCESS TOKEN'), 4, (row) => row.access_token_name),
  added: time(words('ADDED'), 5, ({ added }) => added),
}

/** Converts a context into its row. */
export function toContextRow(name: string, saved: SavedContext, current: boolean): ContextRow {
  const { access_token: _token, issued: _issued, ...shown } = saved
  return { name, ...shown, current }
}

/** Returns all contexts, including this machine. */
export function listContextRows(env: Parameters<typeof readContexts>[0]): ContextRow[] {
  const { current = LOCAL_CONTEXT, contexts } = readContexts(env)
  const here = { name: LOCAL_CONTEXT, server: '', username: '', added: 0, current: current === LOCAL_CONTEXT }
  return [here, ...Object.entries(contexts).map(([name, saved]) => toContextRow(name, saved, name === current))]
}

/**
 * Returns the known context that a name means if none has exactly it: the only one whose letter case alone differs.
 * @throws UsageError with similar names if there is none, or with the names if there are several
 */
export function findMeantContext(name: string, known: readonly string[]): string {
  const [found, ...others] = listNamedRows(name, known, (each) => [each])
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined) throw new UsageError(fillTemplate(SEVERAL, { name, names: joinList([found, ...others]) }))
  const problem = fillTemplate(words('No context is called "{name}": see `weir context`.'), { name })
  throw new UsageError(suggestNames(problem, name, known))
}

const SEVERAL = words('Several contexts are called "{name}" but for their letter case: {names}.')

/** Returns the context of a name. @throws UsageError as `findMeantContext` does */
export function findRequiredContext(env: Parameters<typeof readContexts>[0], name: string): ContextRow {
  const rows = listContextRows(env)
  const known = rows.map((row) => row.name)
  const found = known.includes(name) ? name : findMeantContext(name, known)
  return rows.find((row) => row.name === found)!
}
