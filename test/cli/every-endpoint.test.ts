// Every operation of the contract has a command: `weir call` is never the only way.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findOwnEndpoint } from '../../cli/connection/own-endpoints.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { root, sources } from '../support/sources.ts'

/** Endpoints that no command calls, by the reason. */
const EXCEPTIONS: Record<string, readonly string[]> = {
  'a browser signs in or up, and an access token replaces its session': [
    ...['auth.loginCode', 'auth.logout', 'auth.register', 'auth.resetRequest', 'auth.reset'],
    ...['auth.oauthState', 'auth.oauthStart', 'auth.oauth', 'auth.wechat', 'auth.wechatBind', 'auth.telegram'],
    ...['auth.telegramBind', 'auth.passkeyAsk', 'auth.passkeyLogin', 'auth.passkeyBegin', 'auth.passkeyAdd'],
    ...['auth.stepUp', 'auth.stepUpPasskey', 'devices.request', 'devices.answer'],
  ],
  'scripts for one-api call it, and another endpoint does the same for a command': [
    ...['users.availableModels', 'users.topUp', 'users.accessToken', 'users.revokeAccessToken', 'users.delete'],
    ...['groups.list', 'groups.common', 'logs.search', 'logs.searchSelf', 'logs.ofToken', 'redemptions.list'],
    ...['usage.dashboard', 'usage.hours', 'usage.hoursSelf', 'channels.models', 'channels.modelsByType'],
    'tokens.list',
  ],
  'a command does it for each channel, and shows the result of each': [
    ...['channels.testAll', 'channels.updateBalances', 'channels.deleteDisabled', 'channels.delete'],
    ...['channels.tagMany', 'channels.switchMany', 'channels.updateTag', 'channels.enableTag', 'channels.disableTag'],
  ],
  'a text of the site: `weir settings get` and `set` read and write it': ['site.notice', 'site.about', 'site.home'],
  'a screen reads in one reply what commands list one by one': ['attention.firstSteps'],
  'a probe for monitoring; `weir doctor` checks the database': ['site.check'],
}

const CLIENT = String.raw`(?:\bweir|\bclient|\(\s*await (?:context\.)?client\(\)\s*\)|createEndpointClient\(send\))`
/** A part of the client, under the name of its feature. */
const PARTS = /\{([^{}]*)\}(?: = await client\(\)|(?: = weir|: WeirClient)\b)/g

/** Returns the endpoints that the code of the commands calls on the typed client. */
function findCalledEndpoints(): Set<string> {
  const called = new Set<string>()
  const addAll = (found: Iterable<RegExpMatchArray>, feature?: string) => {
    for (const [, ...names] of found) called.add([...(feature ? [feature] : []), ...names].join('.'))
  }
  for (const file of sources.filter((each) => each.startsWith('cli/') && !each.startsWith('cli/ui/'))) {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/\s*\n\s*(?=\.)/g, '')
    const taken = [...code.matchAll(PARTS)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    addAll(code.matchAll(new RegExp(`${CLIENT}\\.(\\w+)\\.(\\w+)`, 'g')))
    for (const feature of taken) addAll(code.matchAll(new RegExp(`(?<![.\\w])${feature}\\.(\\w+)`, 'g')), feature)
    addAll(code.matchAll(/send\(\s*'(\w+\.\w+)'/g))
  }
  return called
}

it('each endpoint is called by a command, or has a reason why not', () => {
  const called = findCalledEndpoints()
  const own = [...endpointsByName.keys()].flatMap((name) => (called.has(name) ? (findOwnEndpoint(name) ?? []) : []))
  const reached = (name: string) => called.has(name) || own.includes(name)
  const excepted = Object.values(EXCEPTIONS).flat()
  expect([...endpointsByName.keys()].filter((name) => !reached(name) && !excepted.includes(name))).toEqual([])
  expect(excepted.filter((name) => !endpointsByName.has(name) || reached(name))).toEqual([])
})
