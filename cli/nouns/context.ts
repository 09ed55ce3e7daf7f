// Display of the gateways known by name, and search by name.
import { fillTemplate } from '../../core/errors.ts'
import { NEVER } from '../../core/tokens/token.ts'
import { LOCAL, readContexts, type SavedContext } from '../contexts.ts'
import { UsageError } from '../failure.ts'
import { words } from '../texts.ts'
import { flag, text, time, type View } from '../view.ts'
import { NEVER_WORDS } from './states.data.ts'

export type ContextRow = Omit<SavedContext, 'access_token' | 'issued'> & { name: string; current: boolean }

export const contextView: View<ContextRow> = {
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  server: text(words('SERVER'), 1, ({ server }) => server, { flexible: true }),
  username: text(words('USER'), 2, ({ username }) => username),
  current: flag(words('CURRENT'), 1, ({ current }) => current, {
    tone: ({ current }) => (current ? 'good' : 'plain'),
  }),
  expires: time(words('EXPIRES'), 3, ({ expires }) => expires, {
    shown: ({ expires }, { language }) => (expires === NEVER ? NEVER_WORDS[language] : undefined),
    tone: ({ expires = NEVER }) => (expires !== NEVER && expires * 1000 <= Date.now() ? 'bad' : 'plain'),
  }),
  access_token_name: text(words('ACCESS TOKEN'), 4, (row) => row.access_token_name),
  added: time(words('ADDED'), 5, ({ added }) => added),
}

/** Converts a context into its row. */
export function rowOf(name: string, saved: SavedContext, current: boolean): ContextRow {
  const { access_token: _token, issued: _issued, ...shown } = saved
  return { name, ...shown, current }
}

/** Returns all contexts, including this machine. */
export function contextRows(env: Parameters<typeof readContexts>[0]): ContextRow[] {
  const { current = LOCAL, contexts } = readContexts(env)
  const here = { name: LOCAL, server: '', username: '', added: 0, current: current === LOCAL }
  return [here, ...Object.entries(contexts).map(([name, saved]) => rowOf(name, saved, name === current))]
}

/** @throws UsageError */
export function noContext(name: string): never {
  throw new UsageError(fillTemplate(words('No context is called "{name}": see `weir context`.'), { name }))
}
