// Every endpoint of the contract, for every kind of caller: allowed exactly where it is declared.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import { ACCESS_TOKEN_SCOPES, type EndpointAccess, type Endpoint } from '../../../core/contract/endpoint.ts'
import { endpointsByName } from '../../../core/contracts.ts'
import { loadLocalCaller } from '../../../core/gateway.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { listFailures } from '../../support/list-failures.ts'
import { nobody } from '../../support/signed-in.ts'

const who = ['nobody', 'user', 'admin', 'root', 'local'] as const
type Who = (typeof who)[number]

/** Who may use what is declared so. */
const allowed: Record<EndpointAccess, readonly Who[]> = {
  public: who,
  user: ['user', 'admin', 'root', 'local'],
  admin: ['admin', 'root', 'local'],
  root: ['root', 'local'],
}

const DOOR = ['access.login_required', 'access.forbidden', 'access.banned']

let gateway: MemoryGateway
beforeAll(async () => {
  gateway = await openMemoryGateway()
  for (const role of ['user', 'admin', 'root'] as const) await gateway.as(role)
})
afterAll(() => gateway.close())

async function callerOf(each: Who): Promise<Caller> {
  if (each === 'nobody') return nobody
  return each === 'local' ? loadLocalCaller(gateway.ports) : gateway.as(each)
}

/** What came of a call with no input: nothing, or the code of its refusal. */
const codeOf = async (caller: Caller, name: string): Promise<string> =>
  gateway.dispatch(name, {}, { caller, session: noSession }).then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )

const nameEndpoint = ([name]: [string, Endpoint]) => name

describe('every endpoint', () => {
  test.each(who)('for %s', async (each) => {
    const failures = await listFailures([...endpointsByName], nameEndpoint, async ([name, endpoint]) => {
      const code = await codeOf(await callerOf(each), name)
      if (allowed[endpoint.access].includes(each)) {
        expect(DOOR).not.toContain(code)
        // Without input it may refuse, but never fall over.
        expect(code).not.toBe('server.bug')
      } else {
        expect(code).toBe(each === 'nobody' ? 'access.login_required' : 'access.forbidden')
      }
    })
    expect(failures).toEqual([])
  })

  test.each(ACCESS_TOKEN_SCOPES)('for an access token to %s', async (scope) => {
    const failures = await listFailures([...endpointsByName], nameEndpoint, async ([name, endpoint]) => {
      const machine: Caller = {
        ...(await gateway.as('root')),
        via: 'access_token',
        access: { id: 1, scope, expired_time: -1 },
      }
      const code = await codeOf(machine, name)
      const needed = endpoint.access === 'public' ? 'usage' : endpoint.scope
      const may = ACCESS_TOKEN_SCOPES.indexOf(scope) >= ACCESS_TOKEN_SCOPES.indexOf(needed!)
      expect(needed).toBeDefined()
      expect(code === 'access.scope').toBe(!may)
    })
    expect(failures).toEqual([])
  })

  test('for a user who has been banned', async () => {
    const failures = await listFailures([...endpointsByName], nameEndpoint, async ([name, endpoint]) => {
      const { user, ...rest } = await gateway.as('root')
      const banned = { ...rest, user: user && { ...user, status: 2 } }
      if (endpoint.access === 'public') expect(DOOR).not.toContain(await codeOf(banned, name))
      else expect(await codeOf(banned, name)).toBe('access.banned')
    })
    expect(failures).toEqual([])
  })
})

test('names that no endpoint has are refused', async () => {
  const root = await gateway.as('root')
  for (const name of ['', 'tokens', 'tokens.', 'tokens.nothing', 'tokens.constructor', '__proto__.toString']) {
    expect(await codeOf(root, name)).toBe('request.unknown_path')
  }
})
