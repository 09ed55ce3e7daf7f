// The input of the commands about people, and their output with --quiet.
import type { Gateway } from '../../core/gateway.ts'
import type { Json } from '../support/json.ts'
import { sameId, teamChanges, type Changes } from './team-commands.ts'

export function peopleChanges(dataOf: (words: string[]) => Promise<Json>, gateway: () => Gateway): Changes {
  let people = 0
  const name = () => `person${(people += 1)}`
  const newRule = async () =>
    String((await dataOf(['alerts', 'add', '--name', name(), '--kind', 'disk', '--threshold', '10'])).id)
  const newUser = async () => String((await dataOf(['users', 'create', name()])).id)
  const newOrder = async () => {
    const bought = { amount: 1, money: 730, currency: 'cny', quota: 500_000, provider: 'epay', method: 'alipay' }
    const trade_no = `USR1NO${name()}`
    await gateway().ports.storage.topups.insert({ ...bought, user_id: 1, trade_no, create_time: 1 })
    return trade_no
  }
  const newCode = async () => String(((await dataOf(['redemptions', 'create', '--name', name()])) as Json)[0].id)
  const newDisabledCode = async () => String((await dataOf(['redemptions', 'disable', await newCode()])).id)
  return {
    'tokens add': { args: async () => ['--name', 'one'], quiet: () => /^sk-\w{48}\n$/ },
    'tokens edit': { args: async () => ['1', '--max-concurrent', '50'], quiet: () => /^1\n$/ },
    'tokens enable': { args: async () => ['1'], quiet: sameId },
    'tokens disable': {
      args: async () => [String((await dataOf(['tokens', 'add', '--name', 'off'])).id)],
      quiet: sameId,
    },
    'tokens rm': {
      args: async () => [String((await dataOf(['tokens', 'add', '--name', 'gone'])).id), '--yes'],
      quiet: sameId,
    },
    'access-tokens add': { args: async () => ['--name', name(), '--expires', '30d'], quiet: () => /^\w{40}\n$/ },
    'access-tokens rm': {
      args: async () => [String((await dataOf(['access-tokens', 'add', '--name', 'gone'])).id), '--yes'],
      quiet: sameId,
    },
    'access-tokens show': {
      args: async () => [String((await dataOf(['access-tokens', 'add', '--name', name()])).id)],
      quiet: sameId,
    },
    'users create': { args: async () => [name(), '--password', 'long enough'], quiet: () => /^\d+\n$/ },
    'users edit': { args: async () => [await newUser(), '--display-name', 'Ada'], quiet: sameId },
    'users topup': { args: async () => ['root', '$5', '--reason', 'a gift'], quiet: () => /^1\n$/ },
    'users enable': { args: async () => [await newUser()], quiet: sameId },
    'users disable': { args: async () => [await newUser()], quiet: sameId },
    'users promote': { args: async () => [await newUser()], quiet: sameId },
    'users demote': {
      args: async () => {
        const id = await newUser()
        await dataOf(['users', 'promote', id])
        return [id]
      },
      quiet: sameId,
    },
    'users password': { args: async () => [await newUser(), '--password', 'another one'], quiet: sameId },
    'users reset-second-factors': { args: async () => [await newUser(), '--yes'], quiet: sameId },
    'users rm': { args: async () => [await newUser(), '--yes'], quiet: sameId },
    'redemptions create': { args: async () => ['--name', 'spring', '--quota', '$5'], quiet: () => /^\w{32}\n$/ },
    'redemptions edit': {
      args: async () => {
        const codes = (await dataOf(['redemptions', 'create', '--name', name()])) as Json
        return [String(codes[0].id), '--expires', '30d', '--remark', 'for the fair']
      },
      quiet: sameId,
    },
    'redemptions enable': { args: async () => [await newDisabledCode()], quiet: sameId },
    'redemptions disable': { args: async () => [await newCode()], quiet: sameId },
    'redemptions redeem': {
      args: async () => {
        const codes = (await dataOf(['redemptions', 'create', '--name', name(), '--quota', '500'])) as Json
        return [String(codes[0].key)]
      },
      quiet: () => /^500\n$/,
    },
    'redemptions show': { args: async () => [await newCode()], quiet: sameId },
    'topups show': { args: async () => [await newOrder()], quiet: sameId },
    'redemptions rm': {
      args: async () => {
        const codes = (await dataOf(['redemptions', 'create', '--name', name()])) as Json
        return [String(codes[0].id), '--yes']
      },
      quiet: sameId,
    },
    'topups complete': {
      args: async () => [await newOrder(), '--reason', 'in the account statement', '--yes'],
      quiet: sameId,
    },
    'topups cancel': { args: async () => [await newOrder(), '--reason', 'paid back', '--yes'], quiet: sameId },
    'topups note': { args: async () => [await newOrder(), 'asked for the rest'], quiet: sameId },
    'alerts add': {
      args: async () => ['--name', name(), '--kind', 'disk', '--threshold', '10'],
      quiet: () => /^\d+\n$/,
    },
    'alerts edit': { args: async () => [await newRule(), '--threshold', '20'], quiet: sameId },
    'alerts rm': { args: async () => [await newRule(), '--yes'], quiet: sameId },
    'me edit': { args: async () => ['--display-name', 'Root'], quiet: () => /^1\n$/ },
    'me notifications': { args: async () => ['--quota-warning-threshold', '$2'], quiet: () => /^1\n$/ },
    'sessions end': { args: async () => ['--all', '--yes'], quiet: () => /^(\d+\n)*$/ },
    'me sessions end': { args: async () => ['--all', '--yes'], quiet: () => /^(\d+\n)*$/ },
    ...teamChanges(dataOf, gateway),
  }
}
